"""Letters that look like others: the plain form of a styled letter, and what two names that look alike have in common.

The method is that of Unicode's TR39, with a table of our own: the letters of other scripts that most faces draw like
Latin ones.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_STYLED = {
    "A": "ᴀᗅᗩᐱ", "B": "ʙᴃᗷ", "C": "ᴄᑕ", "D": "ᴅᗪ", "E": "ᴇⴹ", "F": "ꜰᖴ", "G": "ɢ", "H": "ʜᕼ", "J": "ᴊᒍ", "K": "ᴋ",
    "L": "ʟᒪ", "M": "ᴍᗰ", "N": "ɴᑎ", "O": "ᴏ", "P": "ᴘᑭ", "R": "ʀᖇ", "S": "ꜱᔕ", "T": "ᴛ", "U": "ᴜᑌ", "V": "ᴠᐯ",
    "W": "ᴡᗯ", "X": "᙭", "Y": "ʏ", "Z": "ᴢ", "Q": "ꞯ", "I": "ɪ",
}  # fmt: skip
"""Small capitals, and the Canadian syllabics that people write as Latin letters."""
_ALIKE = {
    "a": "аαɑɐꭺ", "b": "ьвβꮟ", "c": "сϲᏟꮯ", "d": "ԁꭰᏧ", "e": "еεҽꭼ", "f": "ғϝ", "g": "ɡց", "h": "һнηհᏂꮋ",
    "i": "іιıӏɩꭵ", "j": "јϳ", "k": "кκҟꮶ", "l": "1|ⅼǀIꮮ", "m": "мμꮇ", "n": "пոռ", "o": "0оοօסه٥०σ", "p": "рρꮲ",
    "q": "ԛզ", "r": "гꭱ", "s": "ѕꮪ", "t": "тτꭲ", "u": "υսц", "v": "ѵνꮩ", "w": "ԝωшᏔ", "x": "хχ", "y": "уүγ",
    "z": "ᴢζꮓ",
}  # fmt: skip
PLAIN = {letter: plain for plain, letters in _STYLED.items() for letter in letters}
PLAIN |= {chr(start + n): chr(65 + n) for start in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6) for n in range(26)}
"""The plain form of letters that Unicode itself gives none: also squared, negative and regional ones."""
_BASE = {letter.casefold(): base for base, letters in _ALIKE.items() for letter in letters} | {"i": "l", "ı": "l"}
_BASE |= dict.fromkeys("іιӏɩꭵ", "l")  # a small l, a capital I and a 1 are one sign in many faces
_UNSEEN = ("Mn", "Me", "Cf", "Cc", "Zs", "Cn")


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """Return what a name looks like: equal for two names that can be taken for each other.

    >>> skeleton("Аlех") == skeleton("alex"), skeleton("Ann") == skeleton("Anna")
    (True, False)
    """
    text = "".join(PLAIN.get(ch, ch) for ch in unicodedata.normalize("NFKD", name))
    text = unicodedata.normalize("NFKD", text.casefold())
    return "".join(_BASE.get(ch, ch) for ch in text if unicodedata.category(ch) not in _UNSEEN)
