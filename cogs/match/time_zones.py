"""Time zones by the names that people use for them: a city, an abbreviation, a fixed offset from UTC.

A zone is stored by its IANA name. A machine that does not have the files of a stored zone counts it as UTC.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

_NO_ZONES = re.compile(r"(Etc|SystemV|posix|right)/.*|localtime|Factory|posixrules", re.IGNORECASE)
"""Names for which many machines have a file, and which mean no place: the machine's own zone, fixed offsets whose signs
are the other way round, and the same zones again.
"""
_CONTINENTS = "Africa/ America/ Antarctica/ Arctic/ Asia/ Atlantic/ Australia/ Europe/ Indian/ Pacific/"
_ABBREVIATIONS = {
    "America/New_York": "EST EDT ET EST5EDT Eastern",
    "America/Chicago": "CST CDT CT CST6CDT Central",
    "America/Denver": "MST MDT MT MST7MDT Mountain",
    "America/Los_Angeles": "PST PDT PT PST8PDT Pacific",
    "America/Anchorage": "AKST AKDT",
    "Pacific/Honolulu": "HST",
    "America/Halifax": "AST ADT",
    "America/St_Johns": "NST NDT",
    "America/Sao_Paulo": "BRT BRST Brasilia",
    "America/Argentina/Buenos_Aires": "ART",
    "America/Santiago": "CLT CLST",
    "America/Bogota": "COT",
    "America/Lima": "PET",
    "UTC": "GMT Etc/UTC Etc/GMT Z UCT Zulu Universal Greenwich",
    "Europe/London": "BST GB",
    "Europe/Lisbon": "WET WEST",
    "Europe/Berlin": "CET CEST MEZ MESZ MET MEST",
    "Europe/Athens": "EET EEST OEZ OESZ",
    "Europe/Moscow": "MSK",
    "Europe/Istanbul": "TRT",
    "Africa/Lagos": "WAT",
    "Africa/Johannesburg": "SAST",
    "Africa/Maputo": "CAT",
    "Africa/Nairobi": "EAT",
    "Asia/Dubai": "GST",
    "Asia/Karachi": "PKT",
    "Asia/Bangkok": "ICT",
    "Asia/Jakarta": "WIB",
    "Asia/Manila": "PHT",
    "Asia/Singapore": "SGT",
    "Asia/Hong_Kong": "HKT",
    "Asia/Tokyo": "JST",
    "Asia/Seoul": "KST",
    "Australia/Perth": "AWST",
    "Australia/Adelaide": "ACST ACDT",
    "Australia/Sydney": "AEST AEDT AET",
    "Pacific/Auckland": "NZST NZDT NZT",
}
"""What people call the time of a place, in winter or in summer. They mean the place, with its summer time."""
_OTHERS = {
    "CST": ("Asia/Shanghai", "America/Havana"),
    "MST": ("America/Phoenix",),
    "AST": ("Asia/Riyadh",),
    "BST": ("Asia/Dhaka",),
    "AEST": ("Australia/Brisbane",),
    "ACST": ("Australia/Darwin",),
    "GMT": ("Europe/London", "Africa/Accra"),
    "IST": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
}
"""Other places that use the same letters; the list of a command offers them."""
_BETWEEN = {
    (3, 30): "Asia/Tehran",
    (4, 30): "Asia/Kabul",
    (5, 30): "Asia/Kolkata",
    (5, 45): "Asia/Kathmandu",
    (6, 30): "Asia/Yangon",
    (8, 45): "Australia/Eucla",
    (9, 30): "Australia/Darwin",
    (-9, 30): "Pacific/Marquesas",
}
"""The places without summer time at offsets that are no whole hours."""
_OFFSET = re.compile(r"(?:UTC|GMT)? ?([+-]) ?(\d{1,2})(?::?(\d{2}))? ?(?:h|UTC|GMT)?", re.IGNORECASE | re.ASCII)
_EAST, _WEST = 14, 12
"""The whole hours to which there is a fixed offset."""


@cache
def zones() -> tuple[str, ...]:
    """Return the IANA names of all time zones of places, and UTC; sorted."""
    short = {_key(name) for names in _ABBREVIATIONS.values() for name in names.split()}
    found = {name for name in available_timezones() if not _NO_ZONES.fullmatch(name)}
    found = {name for name in found if _key(name) not in short and _offset(name) is None}
    return tuple(sorted(found | {"UTC"}))


def zone_named(text: str) -> str | None:
    """Return the IANA name of the zone that a text names: "Europe/Berlin", "berlin", "São Paulo", "EST", "UTC+2".

    Upper and lower case, accents, blanks, hyphens and underscores do not matter. None: no zone, or more than one.
    """
    text = text.strip()
    found = _offset(text) or _by_abbreviation().get(_key(text))
    if found is not None:
        return found
    named = _by_name().get(_key(text), ())
    return named[0] if len(named) == 1 else None


def meant_by_letters(text: str) -> str | None:
    """Return the place whose time an abbreviation such as "EST" is; None if the text is none, or if it is UTC."""
    zone = _by_abbreviation().get(_key(text))
    return None if zone == "UTC" else zone


def zones_like(text: str) -> list[str]:
    """Return the zones that a text may become, the best first: the one that it names, other places with the same
    abbreviation, cities that begin with it, and all that contain it.
    """
    wanted, named = _key(text), zone_named(text)
    if not wanted and named is None:
        return list(zones())
    first = [*([named] if named else []), *_OTHERS.get(text.strip().upper(), ())]
    first += [zone for zone in _by_name().get(wanted, ()) if zone not in first]
    holding = [name for name in zones() if wanted and wanted in _key(name)]
    holding.sort(key=lambda name: not _key(name.rpartition("/")[2]).startswith(wanted))
    return list(dict.fromkeys([*first, *holding]))


def spoken_zone(zone: str) -> str:
    """Return a zone's name for a player: a fixed offset as people write it, all others with blanks.

    >>> spoken_zone("Etc/GMT-2"), spoken_zone("America/New_York")
    ('UTC+2', 'America/New York')
    """
    fixed = re.fullmatch(r"Etc/GMT([+-])(\d+)", zone)
    return zone.replace("_", " ") if fixed is None else f"UTC{'-' if fixed[1] == '+' else '+'}{fixed[2]}"


def is_known(zone: str) -> bool:
    """Return whether this machine has the files of that zone."""
    return zone == "UTC" or _info(zone) is not None


def info(zone: str) -> tzinfo:
    """Return the rules of a stored zone; those of UTC if this machine does not have it."""
    return _info(zone) or UTC


@lru_cache(1024)
def _info(zone: str) -> ZoneInfo | None:
    if _NO_ZONES.fullmatch(zone) and not zone.startswith("Etc/"):
        return None
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _offset(text: str) -> str | None:
    """Return the zone with that fixed offset from UTC; None if it is none, or if no zone has it all year.

    The IANA names of fixed offsets count westwards: Etc/GMT-2 is two hours ahead of UTC.
    """
    found = _OFFSET.fullmatch(text.replace("\u2212", "-").replace("\u2013", "-"))
    if found is None:
        return None
    sign, hours, minutes = found[1], int(found[2]), int(found[3] or 0)
    if minutes:
        return _BETWEEN.get((-hours if sign == "-" else hours, minutes))
    if not hours:
        return "UTC"
    most = _EAST if sign == "+" else _WEST
    return f"Etc/GMT{'-' if sign == '+' else '+'}{hours}" if hours <= most else None


@cache
def _by_abbreviation() -> dict[str, str]:
    return {_key(short): zone for zone, names in _ABBREVIATIONS.items() for short in names.split()}


@cache
def _by_name() -> dict[str, tuple[str, ...]]:
    """Return the zones by their whole names and by the names of their places."""
    found: dict[str, list[str]] = {}
    for zone in zones():
        found.setdefault(_key(zone), []).append(zone)
    for zone in zones():
        place = _key(zone.rpartition("/")[2])
        if place != _key(zone):
            found.setdefault(place, []).append(zone)
    return {name: _places(same) for name, same in found.items()}


def _places(same: list[str]) -> tuple[str, ...]:
    """Return the zones with one name. Old names of a place count once: the longest one on a continent."""
    named = sorted(
        (zone for zone in same if f"{zone.partition('/')[0]}/" in _CONTINENTS.split()), key=lambda zone: -len(zone)
    )
    return tuple(named[:1] or same)


def _key(text: str) -> str:
    """Return the letters and digits of a name, small and without accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(ch for ch in plain if ch.isalnum())
