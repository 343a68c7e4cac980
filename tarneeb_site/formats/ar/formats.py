"""Days and moments in Arabic, in its own order: Django gives moments the English one."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y، H:i"
