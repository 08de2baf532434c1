"""Write data/fonts/look_alikes.txt from Unicode's confusables.txt (UTS #39):

    python -m tests.rendering.look_alikes confusables.txt

unicode.org/Public/security has it, and so does the source of Debian's package icu.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from rendering.core.alike import LOOK_ALIKES

OURS = {
    "A": "@ΛᗩⲀⲁ卂ꍏꋬꪖ₳", "B": "8ßв乃ꌃꃳ᥇₿", "C": "ᑕ匚ꉓꉔᥴ", "D": "ẟꀸ꒯ᦔ", "E": "ꞓЄΣΞᗴ乇ꍟꏂꫀ", "F": "千ꎇꊰᠻℲ",
    "G": "Ꮆꁅꍌᧁ", "H": "卄ꃅꁝꫝ", "I": "ꀤ꒐꠸", "J": "ﾌꀭ꒻꠹", "K": "ĸҜꀘ", "L": "ㄥ꒒ꪶ", "M": "爪ꂵꪑ",
    "N": "ᑎПИпиᏁ几ꈤꋊꪀ", "O": "ʘㄖꂦꄲꪮ", "P": "卩ꉣԀ", "Q": "Ɋꆰꪇ", "R": "Я尺ꋪ᥅", "S": "5$ᔕ丂ꌗꇙᦓ",
    "T": "ㄒ꓄ꪻ", "U": "ㄩꀎ꒤ꪊ", "V": "ꃴ꒦ꪜ", "W": "ЩщωΩᗯ山ꅏꅐ᭙", "X": "χ乂ꊼꉧ᥊", "Y": "ㄚꌩꌦꪗ⅄",
    "Z": "2乙ꁴᘔ", "i": "ᴉ", "m": "ʍ", "p": "℘", "q": "ᑫ", "r": "ཞ", "-": "ー",
}  # fmt: skip
"""What UTS #39 leaves out: letters and figures of almost one look, and those of which styled alphabets are made."""
CREDIT = "Unicode, Inc.; the lines are made by tests/rendering/look_alikes.py. Licence: Unicode-3.0.txt"
_NAMED = re.compile(r"(?:LATIN LETTER SMALL CAPITAL|.*(?:SQUARED|CIRCLED) LATIN CAPITAL LETTER|REGIONAL .*) ([A-Z])")


def read(confusables: str) -> dict[str, str]:
    """Return the prototype of each letter. "m" stays one letter."""
    found = {}
    for line in confusables.splitlines():
        if fields := line.partition("#")[0].strip().split(";"):
            letters = ["".join(chr(int(code, 16)) for code in field.split()) for field in fields[:2]]
            found[letters[0]] = letters[-1]
    return {letter: shape for letter, shape in found.items() if letter not in ("m", "")}


def named(letter: str) -> str:
    """Return the plain letter that is in the letter's name: that of "Ł" is "L"; "" if there is none."""
    name = unicodedata.name(letter, "")
    if found := _NAMED.fullmatch(name):
        return found[1]
    try:
        return unicodedata.lookup(name.partition(" WITH ")[0]) if " LETTER " in name and " WITH " in name else ""
    except KeyError:
        return ""


def table(confusables: str) -> dict[str, str]:
    """Return the shape of each letter that looks like others, without marks."""
    steps = read(confusables)
    # All letters with the same prototype have one shape.
    ours = {steps.get(letter, letter): plain for plain, letters in OURS.items() for letter in letters}
    every = [chr(code) for code in range(0x110000)]
    steps |= {letter: plain for letter in every if letter not in steps and (plain := named(letter))} | ours

    def shape(text: str) -> str:
        seen = set()
        while text not in seen:
            seen.add(text)
            apart = unicodedata.normalize("NFD", "".join(steps.get(letter, letter) for letter in text))
            text = "".join(letter for letter in apart if unicodedata.category(letter) not in ("Mn", "Me", "Cc"))
        return text

    shapes = {letter: shape(letter) for letter in steps if unicodedata.normalize("NFD", letter) == letter}
    return {
        letter: found
        for letter, found in shapes.items()
        if found != letter
        and unicodedata.category(letter)[0] not in "MZC"  # those count for nothing in any case
        and (letter in ours or any(map(str.isalnum, found)) or not letter.isalnum())
    }


def main() -> None:
    """Write the file."""
    source = Path(sys.argv[1]).read_text(encoding="utf-8-sig")
    version = re.findall(r"(?:Version: |© )(\S+)", source)
    lines = defaultdict(list)
    for letter, shape in table(source).items():
        lines[shape].append(letter)
    head = f"# UTS #39, {version[1]}. © {version[0]} {CREDIT}\n"
    text = "".join(f"{shape}\t{''.join(sorted(letters))}\n" for shape, letters in sorted(lines.items()))
    LOOK_ALIKES.write_text(head + text, encoding="utf-8")


if __name__ == "__main__":
    main()
