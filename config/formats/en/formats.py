"""English formats of the admin: short dates, and times with their zone."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = f"{DATE_FORMAT}, H:i T"
