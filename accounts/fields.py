"""Form fields that read what people here type."""

from typing import Any

from django import forms

from accounts.digits import fold_digits


class DigitsField(forms.IntegerField):
    """A whole number typed with the digits of any keyboard. A text input, so that those digits can be typed at all."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> int | None:
        return super().to_python(fold_digits(value.strip()) if isinstance(value, str) else value)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "inputmode": "numeric", "autocomplete": "off"}
