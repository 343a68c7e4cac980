"""Days and moments in English, as the browser writes them: the day before the month, hours to 24."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
