"""Pictures of players: whatever comes is read with care and written anew, small and square."""

import secrets
from io import BytesIO
from typing import BinaryIO, Final

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps

from accounts.models import User
from accounts.services import held

LARGEST_FILE: Final = 2 * 2**20
MOST_PIXELS: Final = 24_000_000
SIDE: Final = 256
# Formats whose readers are well worn; what is not one of them is not tried at all.
FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF")
FOLDER: Final = "pictures"


def squared(file: BinaryIO) -> bytes:
    """The middle of a picture as a WebP of 256 pixels each way, without anything else that the file held.

    Raises: ValidationError with code `no_picture` or `too_many_pixels`.
    """
    try:
        with Image.open(file, formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise _too_many()
            # A photograph is unpacked no larger than is needed.
            image.draft("RGB", (2 * SIDE, 2 * SIDE))
            upright = ImageOps.exif_transpose(image).convert("RGBA")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many() from error
    except (OSError, SyntaxError, ValueError, MemoryError) as error:
        raise ValidationError(
            _("This is no picture that we can read. Take a JPEG, PNG, WebP or GIF."), code="no_picture"
        ) from error
    fitted = ImageOps.fit(upright, (SIDE, SIDE), Image.Resampling.LANCZOS)
    page = Image.new("RGB", fitted.size, "white")
    page.paste(fitted, mask=fitted.getchannel("A"))
    written = BytesIO()
    page.save(written, "WEBP", quality=82)
    return written.getvalue()


def _too_many() -> ValidationError:
    return ValidationError(
        _("This picture has too many pixels. Make it smaller first."), code="too_many_pixels"
    )


def change_picture(*, user: User, file: BinaryIO) -> None:
    """The user's picture from now on; the old file goes once that is certain. Raises: as `squared`."""
    kept = default_storage.save(f"{FOLDER}/{secrets.token_hex(16)}.webp", ContentFile(squared(file)))
    try:
        _replace(user, kept)
    except BaseException:
        default_storage.delete(kept)
        raise


def remove_picture(*, user: User) -> None:
    """The user has no picture any more."""
    _replace(user, "")


@transaction.atomic(durable=True)
def _replace(user: User, name: str) -> None:
    user = held(user)
    drop_file_on_commit(user)
    user.picture.name = name
    user.save(update_fields=["picture"])


def drop_file_on_commit(user: User) -> None:
    """Inside an open transaction: the file of the user's picture is deleted once it is committed."""
    if old := user.picture.name:
        transaction.on_commit(lambda: default_storage.delete(old), robust=True)
