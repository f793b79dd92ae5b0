"""The analyser: text in, aspects with sentiment out. Plain Python, without Django."""
