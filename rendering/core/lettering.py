"""Text as masks: the face of each letter, the width of a text, and the cut of a text that is too wide.

Names have any characters, so every string is made drawable first (`drawable`): control characters and piled-up accents
are removed, and styled letters become plain ones. If no face has a letter, one that looks like it is drawn. If there is
none, `MISSING` stands in for a letter or emoji, `ORNAMENT` for a letter of a script that most people use as one, and
another ornament is left out. Before a text is drawn, right-to-left runs
are turned, Arabic letters joined and vowel signs of Indic scripts set before their consonant.
`ImageFont.Layout.BASIC` does no shaping by itself but draws the same on every machine.
"""

from __future__ import annotations

import math
import re
import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from rendering.core.alike import plain, shapes

FONTS = Path(__file__).resolve().parents[2] / "data" / "fonts"

DISPLAY = "Fraunces-Black.ttf"
TEXT = "SourceSans3-Bold.ttf"
FIGURES = "SourceSerifPro-Black.ttf"
"""Writes the figures of DISPLAY, whose own 4 looks like a 2 when it is small; and a whole line of any face with serifs
that lacks letters of it, as Greek and Cyrillic ones: it is as black as they are."""
_PLAIN = (TEXT, "NationalPark-ExtraBold.ttf")
"""The faces without serifs."""
_FIGURES = frozenset("0123456789+−–×=")
_FALLBACKS = ("ManyScripts-Bold.ttf", "DroidSansFallback.ttf", "NotoEmoji-Bold.ttf")
THIN = _FALLBACKS[1]
"""The face that is not bold: its letters get an outline, so that a name is as strong as those beside it."""
ELLIPSIS = "…"
MISSING = "□"
"""Stands in for a sign that no face has, such as an emoji newer than the faces."""
ORNAMENT = "·"
_ORNAMENTAL = re.compile(
    "[\u029a\u1800-\u18af\u1950-\u197f\u1bc0-\u1bff\u1c00-\u1c4f\ua500-\ua63f\uaa00-\uaadf"
    "\U00010600-\U0001077f\U00010b40-\U00010b7f\U00013000-\U0001345f\U00016800-\U00016a3f]"
)
"""Letters with which names of other scripts are adorned: hieroglyphs, Linear A, Bamum, Cham and the like."""
_UNDRAWN = re.compile("[\u0300-\u036f\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
"""Accents piled up, and what only changes the emoji before it."""


@lru_cache(maxsize=64)  # about 230 kB each
def _font(face: str, size: int) -> ImageFont.FreeTypeFont:
    """Return the face at that size. All sizes map the same file."""
    return ImageFont.truetype(FONTS / face, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _has(face: str, letter: str) -> bool:
    """Return whether the face has the letter: if not, the face draws its sign for a missing letter."""
    font = _font(face, 24)
    mask, missing = font.getmask(letter), font.getmask("\uffff")
    return mask.size != missing.size or bytes(mask) != bytes(missing)


@lru_cache(maxsize=4096)
def _face(face: str, letter: str) -> str | None:
    """Return the first face that has the letter, beginning with `face`, or None."""
    first = FIGURES if face == DISPLAY and letter in _FIGURES else face
    if " " <= letter <= "~":  # all faces that are asked first have these
        return first
    return next((found for found in (first, _akin(face), TEXT, *_FALLBACKS) if _has(found, letter)), None)


def _akin(face: str) -> str:
    """Return the face that has Greek and Cyrillic letters as black as this one's."""
    return TEXT if face in _PLAIN else FIGURES


@lru_cache(maxsize=1024)
def drawable(text: str) -> str:
    """Return the text as the faces can draw it, in the order of reading; "" if it shows nothing."""
    kept: list[str] = []
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if category in ("Zs", "Zl", "Zp", "Cc"):
            kept.append(" ")
        elif category in ("Cf", "Cs", "Co") or _UNDRAWN.match(letter):
            continue
        elif 0x2460 <= ord(letter) < 0x2474 and (not kept or kept[-1] == " "):  # it tells names that look alike apart
            kept.append(f"{ord(letter) - 0x245F}·")
        elif styled := plain(letter):
            kept.append(styled)
        elif _face(TEXT, letter):
            kept.append(letter)
        elif same := [ch for ch in unicodedata.normalize("NFKC", letter) if ch != letter and _face(TEXT, ch)]:
            kept += same
        elif (shape := shapes().get(ord(letter), "")) and all(_face(TEXT, ch) for ch in shape):
            kept.append(shape)
        elif _ORNAMENTAL.match(letter) or category == "Lm":
            kept.append(ORNAMENT)
        elif category[0] in "LN" or category in ("Mc", "Sc") or is_emoji(letter):
            kept.append(MISSING)
    return " ".join("".join(kept).split())


def is_emoji(letter: str) -> bool:
    """Return whether the character lies in the blocks to which Unicode adds emoji, also if it knows it only later."""
    return 0x1F300 <= ord(letter) < 0x1FB00


def unwritable(text: str) -> bool:
    """Return whether pictures show nothing of the text, or a letter of it is missing in all faces or has a shape that
    depends on its neighbours in a way that the faces do not draw. Emoji are no letters.
    """
    letters = "".join(letter for letter in text if not is_emoji(letter))
    missing = drawable(letters).count(MISSING) > text.count(MISSING)
    return missing or not drawable(text).strip(f"{ORNAMENT} ") or bool(_UNSHAPED.search(text))


_UNSHAPED = re.compile("[\u0c3e-\u0c56\u0cbe-\u0cd6\u1039\u103c\u17d2]")
"""Vowel signs of Telugu and Kannada, which change their consonant; consonants around and below others in Burmese and
Khmer.
"""
_BEFORE = "\u093f\u09bf\u09c7\u09c8\u0a3f\u0abf\u0b47\u0bc6-\u0bc8\u0d46-\u0d48\u0dd9-\u0ddb\u1031\u17c1-\u17c3"
_INDIC = re.compile(rf"(\w[\u093c\u09bc\u0a3c\u0abc\u0b3c]?)([{_BEFORE}])")
"""A consonant, with its dot, and a vowel sign that is read after it and stands before it."""
_SPLIT = dict.fromkeys((0x9CB, 0x9CC, 0xB4B, 0xB4C, 0xBCA, 0xBCB, 0xBCC, 0xD4A, 0xD4B, 0xD4C))
_SPLIT_SIGNS = {code: unicodedata.normalize("NFD", chr(code)) for code in _SPLIT}
"""The vowel signs with a part before and a part after the consonant."""


def _vowels_placed(text: str) -> str:
    return _INDIC.sub(r"\2\1", text.translate(_SPLIT_SIGNS))


@cache
def _arabic_forms() -> dict[tuple[str, str], str]:
    """(letter, "isolated" | "initial" | "medial" | "final") -> its shape's own character."""
    forms: dict[tuple[str, str], str] = {}
    for code in (*range(0xFB50, 0xFE00), *range(0xFE70, 0xFF00)):
        how, _, base = unicodedata.decomposition(chr(code)).partition("> ")
        if base and " " not in base:
            forms.setdefault((chr(int(base, 16)), how[1:]), chr(code))
    return forms


def _shape_arabic(run: str) -> str:
    """Return Arabic letters in the shapes that they have beside their neighbours."""
    forms = _arabic_forms()
    marks = {i for i, letter in enumerate(run) if unicodedata.category(letter) == "Mn"}
    at = [i for i in range(len(run)) if i not in marks]
    shaped = list(run)
    for n, i in enumerate(at):
        before = n > 0 and (run[at[n - 1]], "initial") in forms and (run[i], "final") in forms
        after = n + 1 < len(at) and (run[i], "initial") in forms and (run[at[n + 1]], "final") in forms
        how = {(False, False): "isolated", (False, True): "initial", (True, True): "medial", (True, False): "final"}
        shaped[i] = forms.get((run[i], how[before, after]), run[i])
    return re.sub("[\ufedf\ufee0][\ufe8e\ufe82\ufe84\ufe88]", lambda found: _LAM_ALEF[found[0]], "".join(shaped))


_LAM_ALEF = {
    lam + alef: chr(code + joined)
    for alef, code in (("\ufe82", 0xFEF5), ("\ufe84", 0xFEF7), ("\ufe88", 0xFEF9), ("\ufe8e", 0xFEFB))
    for joined, lam in enumerate("\ufedf\ufee0")
}
"""The one sign that a lam and an alef after it always become."""


def _visual_order(text: str) -> str:
    """Return the text with right-to-left runs in the order in which they are drawn from the left."""
    text = _vowels_placed(text)
    strong = [unicodedata.bidirectional(letter) in ("R", "AL", "AN", "NSM") for letter in text]
    for i, letter in enumerate(text):  # a space between two right-to-left words belongs to them
        if letter == " " and 0 < i < len(text) - 1 and strong[i - 1] and strong[i + 1]:
            strong[i] = True
    runs = [
        (turn, "".join(text[i] for i in group)) for turn, group in groupby(range(len(text)), key=lambda i: strong[i])
    ]
    return "".join(_shape_arabic(run)[::-1] if turn else run for turn, run in runs)


@lru_cache(maxsize=4096)
def _words(text: str, face: str) -> list[tuple[str, str]]:
    """Return words with the spaces after them, each with the face that has its letters.

    Most new texts consist of known words: "Round 7 · trick 2 of 10" differs from the text before in a figure.
    """
    akin = _akin(face)
    if any(letter > "~" and letter.isalpha() and _face(face, letter) == akin for letter in text):
        face = akin  # the whole line: Latin letters beside Greek or Cyrillic ones are of one face
    runs = groupby(text, key=lambda letter: _face(face, letter) or face)
    return [(found, word) for found, run in runs for word in _WORD.findall("".join(run))]


_WORD = re.compile(r"\s*\S+\s*|\s+")


@lru_cache(maxsize=4096)
def _advance(word: str, size: int, face: str) -> float:
    return float(_font(face, size).getlength(word))


@lru_cache(maxsize=256)  # about 50 kB each
def _word_mask(word: str, size: int, face: str) -> Image.Image:
    """Return the mask of a word. The pen starts two pixels from the left."""
    above, depth = _line_metrics(size)[0], _depth(word, size, face)
    image = Image.new("L", (math.ceil(_advance(word, size, face)) + size // 2 + 4, above + depth))
    bolder = round(size / 36) if face == THIN else 0
    at = 2 - bolder, above  # with an outline, a text begins so much farther right
    ImageDraw.Draw(image).text(at, word, fill=255, font=_font(face, size), anchor="ls", stroke_width=bolder)
    return image


def _line_metrics(size: int) -> tuple[int, int]:
    """Return the pixels above and below the baseline."""
    return round(size * 1.1), round(size * 0.42)


@lru_cache(maxsize=4096)
def _depth(word: str, size: int, face: str) -> int:
    """Return the pixels below the baseline: more than a line's for a word with deep letters, so that none is cut."""
    return max(_line_metrics(size)[1], math.ceil(_font(face, size).getbbox(word, anchor="ls")[3]))


def baseline(size: int) -> int:
    """Return the pixels from the top of a text's mask to its baseline."""
    return _line_metrics(size)[0]


def _width(text: str, size: int, face: str) -> float:
    return sum(_advance(word, size, found) for found, word in _words(text, face))


@lru_cache(maxsize=2048)
def width(text: str, size: int, face: str = TEXT) -> int:
    """Return the width of a text in pixels, as `shorten` counts them."""
    return math.ceil(_width(_visual_order(drawable(text)), size, face))


def fitting(text: str, size: int, least: int, wide: int, face: str = TEXT) -> int:
    """Return the largest size, at most `size` and at least `least`, in which the text is at most `wide` pixels wide."""
    if (most := width(text, size, face)) > wide:
        size = max(least, min(size - 1, size * wide // most + 1))  # each size that is tried opens the face again
        while size > least and width(text, size, face) > wide:
            size -= 1
    return size


@cache
def capitals(face: str) -> float:
    """Return the height of a capital or a figure as a fraction of the type size."""
    if face in (TEXT, DISPLAY):
        return 0.68
    return float(-_font(face, 200).getbbox("H", anchor="ls")[1] / 200)


@lru_cache(maxsize=2048)
def shorten(text: str, size: int, width: int, face: str = TEXT) -> str:
    """Return the drawable text in the order of reading. If it is wider than `width` pixels, cut it with an ellipsis."""

    def fits(candidate: str) -> bool:
        return _width(_visual_order(candidate), size, face) <= width

    text = drawable(text)
    if fits(text):
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(text[:middle].rstrip() + ELLIPSIS):
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


@lru_cache(maxsize=2048)
def fit(text: str, size: int, width: int, face: str = TEXT) -> str:
    """Return the same as `shorten`, in the order in which it is drawn from the left, for `mask`."""
    return _visual_order(shorten(text, size, width, face))


@lru_cache(maxsize=4096)
def mask_size(text: str, size: int, face: str = TEXT) -> tuple[int, int]:
    """Return width and height of a text's mask."""
    above, depth = _line_metrics(size)
    deepest = max((_depth(word, size, found) for found, word in _words(text, face)), default=depth)
    return max(1, round(_width(text, size, face)) + 4), above + deepest


def mask(text: str, size: int, face: str = TEXT, wide: int = 0) -> Image.Image:
    """Return the 8-bit mask of a text that `fit` returned, squeezed to `wide` pixels if that is given. The pen starts
    two pixels from the left.
    """
    image = Image.new("L", mask_size(text, size, face))
    x = 0.0
    for found, word in _words(text, face):
        drawn = _word_mask(word, size, found)
        image.paste(255, (round(x), 0), drawn)
        x += _advance(word, size, found)
    return image.resize((wide, image.height), Image.Resampling.BICUBIC) if wide else image
