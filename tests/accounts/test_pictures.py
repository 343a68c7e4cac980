"""Pictures: whatever comes is refused, or written anew as a small square without anything else."""

import io
import zlib
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from accounts.models import User
from accounts.pictures import LARGEST_FILE, squared
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path / "pictures"


@pytest.fixture
def player(client: Client) -> User:
    user = make_user("كريم")
    client.force_login(user)
    return user


def drawn(size: tuple[int, int] = (400, 300), form: str = "JPEG", mode: str = "RGB", **more: object) -> bytes:
    """A picture, red on its left half and blue on its right."""
    image = Image.new(mode, size, (0, 0, 255, 255)[: len(mode)])
    image.paste((255, 0, 0, 255)[: len(mode)], (0, 0, size[0] // 2, size[1]))
    file = io.BytesIO()
    image.save(file, form, **more)
    return file.getvalue()


def send(client: Client, content: bytes, name: str = "me.jpg"):
    sent = SimpleUploadedFile(name, content, content_type="image/jpeg")
    return client.post("/accounts/settings/picture/", {"picture": sent})


def bomb() -> bytes:
    """A PNG of a few bytes that says it has 50,000 × 50,000 points."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    head = (50_000).to_bytes(4) * 2 + bytes([8, 2, 0, 0, 0])
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 99))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    "content",
    [drawn(form="JPEG"), drawn(form="PNG", mode="RGBA"), drawn(form="WEBP"), drawn((8, 5), "PNG")],
    ids=["jpeg", "png", "webp", "tiny"],
)
def test_picture_becomes_a_square_webp(content: bytes) -> None:
    with Image.open(io.BytesIO(squared(io.BytesIO(content)))) as made:
        assert (made.format, made.size, made.mode) == ("WEBP", (256, 256), "RGB")
        left, right = made.getpixel((20, 128)), made.getpixel((235, 128))
        assert left[0] > 200 > 60 > left[2]
        assert right[2] > 200 > 60 > right[0]


def test_picture_keeps_nothing_that_the_camera_wrote_but_stands_upright() -> None:
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "A camera", 3  # its maker; held upside down
    made = squared(io.BytesIO(drawn(exif=exif)))
    assert b"A camera" not in made
    with Image.open(io.BytesIO(made)) as image:
        assert dict(image.getexif()) == {}
        assert image.getpixel((20, 128))[2] > 200


def test_picture_that_is_seen_through_stands_on_white() -> None:
    file = io.BytesIO()
    Image.new("RGBA", (40, 40), (0, 0, 0, 0)).save(file, "PNG")
    with Image.open(io.BytesIO(squared(file))) as image:
        assert min(image.getpixel((9, 9))) > 250


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (bomb(), "too_many_pixels"),
        (drawn((6000, 4001), "PNG"), "too_many_pixels"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "no_picture"),
        (drawn()[:400], "no_picture"),
        (b"%PDF-1.7 not a picture", "no_picture"),
        (drawn(form="TIFF"), "no_picture"),
        (b"\xff\xd8\xff" + b"\0" * 50, "no_picture"),
    ],
    ids=["bomb", "huge", "svg", "truncated", "pdf", "tiff", "false-jpeg"],
)
def test_what_is_no_picture_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        squared(io.BytesIO(content))
    assert refusal.value.code == code


def test_picture_is_stored_under_a_name_that_says_nothing_and_served_as_what_it_is(
    client: Client, player: User, folder: Path
) -> None:
    assert send(client, drawn(), "../../etc/كريم.php").status_code == 302
    [file] = folder.iterdir()
    player.refresh_from_db()
    assert player.picture.name == f"pictures/{file.name}"
    served = Client().get(player.picture.url)
    assert served.content == file.read_bytes()
    names = ("Content-Type", "X-Content-Type-Options", "Content-Security-Policy")
    assert [served[name] for name in names] == ["image/webp", "nosniff", "default-src 'none'; sandbox"]
    assert f'src="{player.picture.url}"' in client.get(f"/players/{player.username}/").content.decode()


def test_new_picture_ends_the_old_file_and_removing_ends_all(
    client: Client, player: User, folder: Path, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        send(client, drawn())
    [first] = folder.iterdir()
    with django_capture_on_commit_callbacks(execute=True):
        send(client, drawn(form="PNG"))
    assert first not in folder.iterdir()
    assert len(list(folder.iterdir())) == 1
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/accounts/settings/picture/remove/")
    player.refresh_from_db()
    assert (player.picture.name, list(folder.iterdir())) == ("", [])


def test_refused_file_leaves_the_old_picture(client: Client, player: User, folder: Path) -> None:
    send(client, drawn())
    for content in (b"<svg/>", drawn() + b"\0" * LARGEST_FILE, b""):
        refused = send(client, content)
        assert (refused.status_code, list(refused.context["picture_form"].errors)) == (400, ["picture"])
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("name", ["../secret", "0" * 31, "0" * 32 + ".png", "G" * 32, "0" * 32])
def test_no_other_file_is_served(client: Client, name: str) -> None:
    assert client.get(f"/accounts/pictures/{name}.webp").status_code == 404


def test_who_has_no_picture_has_a_mark_that_stays(client: Client, player: User) -> None:
    from accounts.templatetags.people import avatar

    before = avatar(player)
    player.username = "كمال"
    assert (avatar(player), "tone-" in before, "style=" in before) == (before, True, False)
