"""How good the analyser is, measured on labelled texts beside simpler ways to judge them."""
