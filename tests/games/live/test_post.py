import asyncio
from functools import partial

from games.live.post import MOST_WAITING, PORTION, Crowd, Post


class Reader:
    """A socket that takes frames at once, or, where `slow`, each only when it is let."""

    def __init__(self, *, slow: bool = False) -> None:
        self.read: list[object] = []
        self._free = asyncio.Event()
        if not slow:
            self._free.set()

    def let(self) -> None:
        self._free.set()

    async def take(self, frame: object) -> None:
        if frame == "broken":
            raise ConnectionError
        await asyncio.sleep(0) if self._free.is_set() and frame == "yields" else None
        if not self._free.is_set():
            await self._free.wait()
        self.read.append(frame)


def hand(post: Post, reader: Reader, key: object, frame: object) -> None:
    post.hand(reader, key, partial(reader.take, frame))


async def test_a_socket_that_is_free_has_its_frame_at_once():
    post, reader = Post(), Reader()
    hand(post, reader, "view", 1)
    assert reader.read == [1]


async def test_a_slow_socket_gets_the_newest_of_what_overtook_itself_and_holds_up_nobody():
    post, slow, quick = Post(), Reader(slow=True), Reader()
    for frame in range(1000):
        hand(post, slow, "view", frame)
        hand(post, quick, "view", frame)
    hand(post, slow, "answer", "answer")
    assert (slow.read, len(quick.read)) == ([], 1000)
    slow.let()
    await asyncio.sleep(0.01)
    assert slow.read == [0, 999, "answer"]


async def test_little_waits_for_a_slow_socket_whatever_comes():
    post, slow = Post(), Reader(slow=True)
    for frame in range(1000):
        hand(post, slow, frame, frame)
    slow.let()
    await asyncio.sleep(0.01)
    assert slow.read == [0, *range(1000 - MOST_WAITING, 1000)]


async def test_frames_keep_their_order_and_a_broken_one_stops_none():
    post, reader = Post(), Reader()
    for number, frame in enumerate(["broken", 1, "yields", "broken", 2]):
        hand(post, reader, number, frame)
    await asyncio.sleep(0.01)
    assert reader.read == [1, "yields", 2]


async def test_a_closed_post_leaves_no_task():
    post, slow = Post(), Reader(slow=True)
    hand(post, slow, "view", 1)
    before = len(asyncio.all_tasks())
    await post.close()
    assert len(asyncio.all_tasks()) == before - 1


async def served(crowd: Crowd) -> None:
    while crowd._rounds:
        await asyncio.sleep(0)


async def test_a_crowd_is_served_in_portions_and_sees_only_the_newest():
    crowd, readers = Crowd(Post()), [Reader() for _ in range(5 * PORTION)]
    crowd.serve("view", readers, lambda reader: partial(reader.take, "old"))
    await asyncio.sleep(0)
    assert sum(len(reader.read) for reader in readers) == PORTION
    crowd.serve("view", readers, lambda reader: partial(reader.take, "new"))
    await served(crowd)
    assert [reader.read for reader in readers] == [["old", "new"]] * PORTION + [["new"]] * 4 * PORTION


async def test_the_last_of_a_crowd_is_not_overtaken_for_ever():
    crowd, readers = Crowd(Post()), [Reader() for _ in range(10 * PORTION)]
    for number in range(20):
        crowd.serve("view", readers, lambda reader, number=number: partial(reader.take, number))
        await asyncio.sleep(0.001)
    assert min(len(reader.read) for reader in readers) >= 1


async def test_a_small_crowd_is_not_kept_waiting_by_a_large_one():
    crowd, many, few = Crowd(Post()), [Reader() for _ in range(50 * PORTION)], [Reader()]
    crowd.serve("large", many, lambda reader: partial(reader.take, 1))
    crowd.serve("small", few, lambda reader: partial(reader.take, 1))
    while not few[0].read:
        await asyncio.sleep(0)
    assert sum(len(reader.read) for reader in many) <= 2 * PORTION
    await crowd.close()
