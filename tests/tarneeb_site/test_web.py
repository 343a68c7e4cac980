"""Our Daphne by itself: an application that answers, and a browser that may be slow to read."""

import asyncio
import contextlib
import os
import subprocess
import time
from collections.abc import Iterator

import psutil
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tarneeb_site.children import ROOT, commands
from tarneeb_site.embedded.valkey import free_port
from tarneeb_site.web import small_text

APPLICATION = "tests.tarneeb_site.echo:application"
FRAMES = 20_000


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, psutil.Process]]:
    """The address of a web process that serves the echo, and the process."""
    port = free_port()
    command = [*commands("127.0.0.1", port)["web"][:-1], APPLICATION]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ, stderr=subprocess.DEVNULL)
    try:
        wait_until_open(process)
        yield f"ws://127.0.0.1:{port}/", psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(20)


def wait_until_open(process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 60
    while not any(c.status == psutil.CONN_LISTEN for c in psutil.Process(process.pid).net_connections()):
        assert process.poll() is None, "the web process ended by itself"
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.parametrize("letters", [1, 62, 63, 5000, 32767, 32768, 100_000])
async def test_a_frame_of_any_length_arrives_whole(server, letters):
    address, _ = server
    async with connect(address, max_size=None, compression=None, proxy=None) as socket:
        await socket.send(f"letters {letters}")
        assert await socket.recv() == "ج" * letters


async def test_a_frame_in_pieces_between_others_is_taken_as_one(server):
    address, _ = server
    async with connect(address, compression=None, proxy=None) as socket:
        await socket.send("letters 1")
        await socket.send(["let", "ters", " 2"])
        pong = await socket.ping()
        await socket.send("letters 3" + " " * 200)
        await socket.send("letters 4")
        assert [len(await socket.recv()) for _ in range(4)] == [1, 2, 3, 4]
        await asyncio.wait_for(pong, 20)


BAD_FRAMES = {
    "not UTF-8": (b"\x81\x82\0\0\0\0\xff\xfe", 1007),
    "not masked": (b"\x81\x01a", 1002),
    "of a kind that nobody knows": (b"\x83\x81\0\0\0\0a", 1002),
    "with a bit that nobody agreed to": (b"\xc1\x81\0\0\0\0a", 1002),
    "too long": (b"\x81\xfe\x10\x01\0\0\0\0" + b"a" * 4097, 1009),
}


@pytest.mark.parametrize("kind", BAD_FRAMES)
async def test_a_bad_frame_ends_its_socket_with_the_code_for_it(server, kind):
    address, _ = server
    frame, code = BAD_FRAMES[kind]
    async with connect(address, compression=None, proxy=None) as socket:
        await socket.send("letters 1")
        assert await socket.recv() == "ج"
        socket.transport.write(frame)
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(socket.recv(), 20)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


def masked(text: bytes, mask: bytes) -> bytes:
    body = bytes(each ^ mask[place % 4] for place, each in enumerate(text))
    return bytes((0x81, 0x80 + len(text))) + mask + body


@pytest.mark.parametrize("text", ["", "a", "abcd", "ترنيب", "\0\0\0", "x" * 125])
@pytest.mark.parametrize("mask", [b"\0\0\0\0", b"\xff\0\x80\x01"])
def test_a_small_frame_is_read_as_it_was_written(text, mask):
    assert small_text(masked(text.encode(), mask)) == text


@pytest.mark.parametrize("cut", [-1, 1])
def test_a_frame_that_is_not_all_or_not_all_there_is_left_to_autobahn(cut):
    frame = masked(b"abc", b"1234")
    assert small_text(frame[:-1] if cut < 0 else frame + b"\x81") is None


async def test_a_browser_that_does_not_read_holds_up_its_sender_alone(server):
    address, process = server
    before = process.memory_info().rss
    async with connect(address, max_size=None, compression=None, proxy=None, max_queue=1) as slow:
        await slow.send(f"flood {FRAMES}")
        async with connect(address, compression=None, proxy=None) as other:
            for letters in (1, 2, 3):
                await other.send(f"letters {letters}")
                assert await asyncio.wait_for(other.recv(), 20) == "ج" * letters
        await asyncio.sleep(0.5)
        # Sixty megabytes are asked for; what has no room in the kernel is not piled up here.
        assert process.memory_info().rss - before < 20_000_000
        for _ in range(FRAMES):
            assert len(await slow.recv()) == 3000
        await slow.send("sent")
        assert await slow.recv() == str(FRAMES)


async def test_a_browser_that_does_not_read_cannot_pile_up_frames_either(server):
    address, process = server
    async with connect(address, max_size=None, compression=None, proxy=None, max_queue=1) as slow:
        await slow.send(f"flood {FRAMES}")
        await asyncio.sleep(0.5)
        before = process.memory_info().rss
        with contextlib.suppress(TimeoutError):
            for _ in range(150_000):
                await asyncio.wait_for(slow.send("sent" + " " * 100), 0.5)
        assert process.memory_info().rss - before < 20_000_000
        slow.transport.abort()


async def test_a_browser_that_leaves_in_the_middle_of_it_leaves_nothing_behind(server):
    address, process = server
    slow = await connect(address, max_size=None, compression=None, proxy=None, max_queue=1)
    await slow.send(f"flood {FRAMES}")
    await asyncio.sleep(0.3)
    slow.transport.abort()
    async with connect(address, compression=None, proxy=None) as other:
        await other.send("letters 4")
        assert await asyncio.wait_for(other.recv(), 20) == "ج" * 4
    async with asyncio.timeout(20):
        while established(process):
            await asyncio.sleep(0.1)


def established(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return sum(each.status == psutil.CONN_ESTABLISHED for each in process.net_connections())
    return 0


def test_a_web_process_may_open_as_many_sockets_as_the_system_allows(server):
    _, process = server
    soft, most = process.rlimit(psutil.RLIMIT_NOFILE)
    assert soft == most
