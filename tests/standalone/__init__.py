"""Each library in a foreign project: built, installed alone, and used."""
