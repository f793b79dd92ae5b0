"""Each library in a foreign project: built, installed by itself, and used."""
