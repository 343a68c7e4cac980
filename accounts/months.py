"""The months by the names they have in the Levant.

Django asks the catalogues for these very words when it writes a date; marked here, they are in ours, so that pages
and the browser's own dates say the same.
"""

from django.utils.translation import gettext_noop as _

MONTHS = (
    _("January"),
    _("February"),
    _("March"),
    _("April"),
    _("May"),
    _("June"),
    _("July"),
    _("August"),
    _("September"),
    _("October"),
    _("November"),
    _("December"),
)
