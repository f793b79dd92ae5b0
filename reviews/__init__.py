"""The reviews of one business."""

VERSION = "1.0.0"  # The release; documents count their own versions.
