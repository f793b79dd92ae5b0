"""Formats of the administration: short days, and times that tell their zone."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = f"{DATE_FORMAT}, H:i T"
