"""The painted sprites: their files are all there and small, and the studio paints them alike again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from rendering.core import art
from tests.support.spoilt_art import paint_two

SLUGS = sorted(path.stem for path in art.LISTS.glob("*.txt"))
"""The games with sprites, and what all games share."""
MOST_BYTES, MOST_OF_ALL = 2 << 20, 10 << 20
"""Of a game's files, and of all."""
ALIKE = 1.0
"""The most by which a picture that is painted again differs in the mean, of 255: another processor rounds otherwise."""


def listed(slug: str) -> set[str]:
    """Return the names of a game's files that its list has."""
    return {line.split()[1] for line in art.list_of(slug).read_text(encoding="utf-8").splitlines()}


def mean_difference(one: Image.Image, other: Image.Image) -> float:
    """Return by how much two pictures differ in the mean, of 255. A colour counts as far as it can be seen."""
    assert one.size == other.size
    apart = ImageChops.difference(*(image.convert("RGBA").convert("RGBa") for image in (one, other)))
    parts = ImageStat.Stat(Image.merge("RGBA", apart.split())).mean
    return sum(parts) / len(parts)


def test_every_file_is_listed_and_every_listed_one_is_there_and_whole() -> None:
    files = {path.relative_to(art.FOLDER).as_posix() for path in art.FOLDER.rglob("*") if path.is_file()}
    assert files == {f"{slug}/{name}" for slug in SLUGS for name in listed(slug)}
    assert list(art.faults()) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_sprites_are_in_few_colours_and_stages_are_opaque(slug: str) -> None:
    for name in listed(slug):
        with Image.open(art.FOLDER / slug / name) as image:
            assert (image.format, image.mode) in (("PNG", "P"), ("WEBP", "RGB")), name


def test_the_files_are_small() -> None:
    sizes = {slug: sum((art.FOLDER / slug / name).stat().st_size for name in listed(slug)) for slug in SLUGS}
    assert {slug: size for slug, size in sizes.items() if size > MOST_BYTES} == {}
    assert sum(sizes.values()) <= MOST_OF_ALL


@pytest.mark.long
@pytest.mark.parametrize("slug", SLUGS)
def test_the_studio_paints_the_same_pictures_again(slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By names, sizes and colours: what lies in data/art is what the sources paint."""
    from rendering.studio import __main__ as studio

    painted, kept = tmp_path / "art", art.FOLDER
    names = listed(slug)
    monkeypatch.setattr(art, "FOLDER", painted)
    monkeypatch.setattr(art, "LISTS", tmp_path / "sprites")
    studio.main([slug])
    assert {path.name for path in (painted / slug).iterdir()} == names
    differ = {}
    for name in names:
        if (kept / slug / name).read_bytes() == (painted / slug / name).read_bytes():
            continue
        with Image.open(kept / slug / name) as known, Image.open(painted / slug / name) as again:
            differ[name] = mean_difference(known, again) if known.size == again.size else 255.0
    assert {name: apart for name, apart in differ.items() if apart > ALIKE} == {}


@pytest.mark.long
def test_the_studio_paints_for_every_list_and_no_other() -> None:
    from rendering.studio import __main__ as studio

    assert [slug for slug, _ in studio.painters()] == SLUGS


def test_another_picture_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A colour that is a little off, or a part that can no longer be seen."""
    with Image.open(paint_two(tmp_path, monkeypatch)) as image:
        other = Image.new("RGBA", image.size, (206, 80, 40, 255))
        assert mean_difference(image, image) == 0
        assert mean_difference(image, other) > ALIKE
        other = image.copy()
        other.paste((0, 0, 0, 0), (0, 0, 2, 2))
        assert mean_difference(image, other) > ALIKE


def test_many_damaged_files_are_told_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the list itself makes no sense."""
    paint_two(tmp_path, monkeypatch)
    art.examine()
    art.list_of("nim").write_bytes(b"".join(b"0 %d.png\n" % number for number in range(8)) + b"\xff\n")
    with pytest.raises(art.DamagedArt) as told:
        art.examine()
    sentence = "9 pictures of data/art cannot be used: nim/0.png, nim/1.png, nim/2.png and 6 more."
    assert str(told.value).startswith(sentence) and "\n" not in str(told.value)
