"""The reviews of one business."""

VERSION = "1.0.0"  # Of all that is released together; the number of a document counts its changes.
