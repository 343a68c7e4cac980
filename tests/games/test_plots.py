import pytest

from games.plots import FOOT, GUTTER, HEAD, HEIGHT, WIDTH, Bar, Point, bar_plot, line_plot, tick_step


@pytest.mark.parametrize(
    ("highest", "step"),
    [
        (0, 1),
        (1, 1),
        (4, 1),
        (5, 2),
        (8, 2),
        (9, 5),
        (20, 5),
        (21, 10),
        (40, 10),
        (41, 20),
        (200, 50),
        (999, 500),
    ],
)
def test_lines_of_a_scale_are_few_and_round(highest: int, step: int) -> None:
    assert tick_step(highest) == step


def test_a_bar_stands_on_the_base_and_its_part_within_it() -> None:
    plot = bar_plot([Bar("7", 10, 5), Bar("8", 0, 0)])
    first, second = plot.bars
    room = HEIGHT - FOOT - HEAD

    assert [tick.label for tick in plot.ticks] == ["0", "5", "10"]
    assert (int(first.y), int(first.height)) == (HEAD, room)
    assert int(first.part_height) == room // 2
    assert int(first.part_y) + int(first.part_height) == int(first.y) + int(first.height) == HEIGHT - FOOT
    assert (second.height, second.part_height) == ("0", "0")


@pytest.mark.parametrize("mirrored", [False, True])
def test_bars_stay_inside_and_run_as_one_reads(mirrored: bool) -> None:
    plot = bar_plot([Bar(str(number), number, 1) for number in range(1, 8)], mirrored=mirrored)
    middles = [int(drawn.middle) for drawn in plot.bars]
    low, high = (0, WIDTH - GUTTER) if mirrored else (GUTTER, WIDTH)

    assert middles == sorted(middles, reverse=mirrored)
    assert all(low <= int(drawn.x) and int(drawn.x) + int(drawn.width) <= high for drawn in plot.bars)
    assert not low <= int(plot.scale_x) <= high


def test_an_empty_plot_has_a_scale() -> None:
    assert [tick.label for tick in bar_plot([]).ticks] == ["0", "1"]
    assert (line_plot([]).line, line_plot([]).first) == ("", None)


@pytest.mark.parametrize(
    ("bar", "percent"), [(Bar("7", 0, 0), None), (Bar("7", 3, 1), 33), (Bar("7", 3, 2), 67)]
)
def test_share_of_a_bar_is_rounded_and_none_of_nothing(bar: Bar, percent: int | None) -> None:
    assert bar.percent == percent


@pytest.mark.parametrize(("label", "shown"), [("-3", "−3"), ("0", "0"), ("2", "+2")])
def test_sign_of_a_number_is_a_true_one(label: str, shown: str) -> None:
    assert Bar(label, 1, 1).signed == shown


def test_a_line_goes_through_its_points_in_order_of_time() -> None:
    plot = line_plot([Point(3, 100), Point(1, 0), Point(2, 50)], low=0, high=100)
    places = [tuple(map(int, spot.split(","))) for spot in plot.line.split()]

    assert [y for _, y in places] == [HEIGHT - FOOT, (HEIGHT - FOOT + HEAD) // 2, HEAD]
    assert places[1][0] - places[0][0] == places[2][0] - places[1][0] > 0
    assert [spot.point.at for spot in plot.spots] == [1, 2, 3]


def test_a_line_is_mirrored_as_one_reads() -> None:
    points = [Point(1, 1500), Point(2, 1600)]
    there, back = line_plot(points), line_plot(points, mirrored=True)

    assert [int(a.x) + int(b.x) for a, b in zip(there.spots, back.spots, strict=True)] == [WIDTH, WIDTH]
    assert [tick.label for tick in there.ticks] == ["1500", "1550", "1600"]


def test_uncertainty_is_a_band_around_the_line() -> None:
    plot = line_plot([Point(1, 10, spread=2), Point(2, 12, spread=1)])
    band = [tuple(map(int, spot.split(","))) for spot in plot.band.split()]
    ys = [int(spot.y) for spot in plot.spots]

    assert len(band) == 4
    assert ys[0] - band[0][1] == band[3][1] - ys[0] > 0
    assert line_plot([Point(1, 10)]).band == ""


def test_one_point_alone_stands_in_the_middle() -> None:
    [spot] = line_plot([Point(5, 7)]).spots

    assert int(spot.x) == GUTTER + (WIDTH - GUTTER) // 2
