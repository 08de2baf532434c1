"""Time zones by the names that people use for them: a city, a country, an abbreviation, a fixed offset from UTC.

A zone is stored by its IANA name. A machine that does not have the files of a stored zone counts it as UTC.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta, tzinfo
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from data.content.texts import languages, texts

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
    "UTC": "UTC GMT Etc/UTC Etc/GMT Z UCT Zulu Universal Greenwich",
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
CITIES = {
    "America/New_York": "NYC|New York City|Washington|Washington DC|Boston|Philadelphia|Miami|Atlanta|Florida"
    "|Nueva York|Nova York|Nova Iorque",
    "America/Chicago": "Houston|Dallas|Austin|Texas",
    "America/Los_Angeles": "LA|San Francisco|SF|Seattle|San Diego|Las Vegas|California",
    "America/Toronto": "Ottawa|Quebec",
    "America/Edmonton": "Calgary",
    "America/Mexico_City": "CDMX|Ciudad de México|Cidade do México|Mexiko-Stadt|Guadalajara",
    "America/Guayaquil": "Quito",
    "America/Santiago": "Santiago de Chile",
    "America/Havana": "La Habana|La Havane",
    "America/Guatemala": "Ciudad de Guatemala",
    "America/Sao_Paulo": "Rio|Rio de Janeiro|Belo Horizonte|Curitiba|Porto Alegre",
    "Europe/London": "Manchester|Birmingham|Liverpool|Edinburgh|Glasgow|Londres",
    "Europe/Berlin": "Munich|München|Muenchen|Múnich|Munique|Hamburg|Hambourg|Frankfurt|Francfort|Cologne|Köln|Koeln|"
    "Colonia|Stuttgart|Düsseldorf|Leipzig|Dresden|Hannover|Nürnberg|Bremen",
    "Europe/Vienna": "Wien|Vienne|Viena|Graz|Salzburg|Innsbruck",
    "Europe/Zurich": "Zurique|Bern|Basel|Geneva|Genf|Genève|Ginebra|Lausanne",
    "Europe/Paris": "Lyon|Marseille|Toulouse|Bordeaux|Lille|Nantes|Nice|Strasbourg",
    "Europe/Madrid": "Barcelona|Valencia|Sevilla|Seville|Bilbao|Mallorca",
    "Europe/Lisbon": "Lisboa|Lissabon|Lisbonne|Porto|Oporto",
    "Europe/Rome": "Roma|Rom|Milan|Milano|Mailand|Naples|Napoli|Turin",
    "Europe/Brussels": "Brüssel|Bruxelles|Bruselas|Bruxelas|Antwerp",
    "Europe/Amsterdam": "Rotterdam",
    "Europe/Copenhagen": "Kopenhagen|Copenhague",
    "Europe/Prague": "Prag|Praga|Praha",
    "Europe/Warsaw": "Warschau|Varsovie|Varsovia|Krakow",
    "Europe/Athens": "Athen|Atenas|Athènes",
    "Europe/Moscow": "Moskau|Moscou|Moscú",
    "Europe/Helsinki": "Helsinque",
    "Europe/Istanbul": "Ankara",
    "Atlantic/Canary": "Canarias|Kanaren|Canaries|Canárias|Las Palmas|Tenerife",
    "Africa/Cairo": "El Cairo|Le Caire|Kairo",
    "Africa/Algiers": "Alger|Argel|Algier",
    "Africa/Tunis": "Túnez",
    "Asia/Singapore": "Cingapura",
    "Asia/Ho_Chi_Minh": "Hanoi",
    "Asia/Kolkata": "Mumbai|Bombay|Delhi|New Delhi|Bangalore|Chennai",
    "Asia/Shanghai": "Beijing|Peking|Pekín|Pékin",
    "Asia/Tokyo": "Osaka|Kyoto|Tokio|Tóquio",
    "Africa/Johannesburg": "Cape Town",
    "Pacific/Auckland": "Wellington",
}
"""Cities that give no zone its name: the largest ones of the countries in which the bot's languages are spoken, and
capitals by their names in these languages. For all others a country or another city does.
"""
_SAMPLES = (datetime(2026, 1, 1), datetime(2026, 7, 1))
"""The days on which zones are compared."""
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
_CODE = 2
"""Letters of the code of a country."""
_MOST_TYPED = 60
"""Characters of a text that are looked at: no name of a zone is as long."""


@cache
def zones() -> tuple[str, ...]:
    """Return the IANA names of all time zones of places, and UTC; sorted."""
    short = {_key(name) for names in _ABBREVIATIONS.values() for name in names.split()}
    found = {name for name in available_timezones() if not _NO_ZONES.fullmatch(name)}
    found = {name for name in found if _key(name) not in short and _offset(name) is None}
    return tuple(sorted(found | {"UTC"}))


def zone_named(text: str) -> str | None:
    """Return the IANA name of the zone that a text names: "Europe/Berlin", "berlin", "Munich", "Japan", "EST", "UTC+2".

    Upper and lower case, accents, blanks, hyphens and underscores do not matter. None: no zone, or more than one.
    """
    text = text[:_MOST_TYPED].strip()
    found = _offset(text) or _by_abbreviation().get(_key(text))
    if found is not None:
        return found
    whole, *others = _bare(text)
    found = _of_place(whole) or next((zone for key in others if (zone := _of_place(key, code=False))), None)
    return found or _in_its_country(text)


def _in_its_country(text: str) -> str | None:
    """Return the zone of a text such as "Berlin, Germany"; None if it is no other, or there is no such place there."""
    one, sign, other = re.sub("[/()]", ",", text).partition(",")
    for city, country in ((one, other), (other, one)) if sign else ():
        zone = _of_place(_key(city))
        if zone is not None and zone in by_country().get(_key(country), ()):
            return zone
    return None


def _of_place(key: str, *, code: bool = True) -> str | None:
    """Return the zone of a city, or of a country that has one time; None if there is no such zone, or several. `code`:
    a country's code counts too; beside another word it does not, since "my time" is no Malaysia's.
    """
    named = _by_name().get(key, ())
    if len(named) == 1 and "/" in named[0]:
        return named[0]
    if key in _by_city():
        return _by_city()[key]
    there = by_country().get(key, ()) if code or key not in _by_code() else ()
    if there and len({_times(zone) for zone in there}) == 1:
        return there[0]
    return _by_abbreviation().get(key) or (named[0] if len(named) == 1 else None)


def by_letters(text: str) -> str | None:
    """Return the zone of an abbreviation such as "EST" or of an offset such as "UTC+2"; None if the text is neither."""
    found = _by_abbreviation().get(_key(text))
    return _offset(text) if found is None and text[:1].isalpha() else found


def meant_by(text: str) -> str | None:
    """Return the zone that a text means but does not name, as New York for "EST"; None: it names it, or means none."""
    zone = zone_named(text)
    if zone in (None, "UTC") or _offset(text.strip()) is not None:
        return None
    return None if _key(text) in (_key(zone), _key(zone.rpartition("/")[2])) else zone


def zones_like(text: str) -> list[str]:
    """Return the zones that a text may become, the best first: the one that it names, other places with the same
    abbreviation, those of a country, cities that begin with it, all that contain it; else those spelled alike.
    """
    text = text[:_MOST_TYPED]
    wanted, named = _key(text), zone_named(text)
    if not wanted and named is None:
        return list(zones())
    first = [*([named] if named else []), *_OTHERS.get(text.strip().upper(), ())]
    for key in _bare(text):
        first += [*_by_name().get(key, ()), *_apart(by_country().get(key, ()))]
    for place, zone in _by_city().items():
        first += [zone] if wanted and place.startswith(wanted) else []
    holding = [name for name in zones() if wanted and wanted in _key(name)]
    first += [name for name in holding if _key(name.rpartition("/")[2]).startswith(wanted)]
    for country, there in by_country().items():
        first += _apart(there) if len(wanted) > _CODE and country.startswith(wanted) else []
    found = list(dict.fromkeys([*first, *holding]))
    if found:
        return found
    known = {name: zones for name, zones in _by_name().items() if "/" in zones[0]} | by_country()
    known |= {name: (zone,) for name, zone in _by_city().items()}
    alike = get_close_matches(wanted, known, n=5, cutoff=0.75)
    return list(dict.fromkeys(zone for name in alike for zone in _apart(known[name])))


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
def _by_city() -> dict[str, str]:
    return {_key(city): zone for zone, cities in CITIES.items() for city in cities.split("|")}


@cache
def _by_code() -> dict[str, tuple[str, ...]]:
    """Return the zones of each country by its code, small. The tables are those of the tz database."""
    there: dict[str, list[str]] = {}
    for code, _, zone, *_ in _rows("zone.tab"):
        there.setdefault(code.lower(), []).append(zone)
    return {code: tuple(zones) for code, zones in there.items()}


@cache
def by_country() -> dict[str, tuple[str, ...]]:
    """Return the zones of each country by its code and its names: the tz database's English ones, and the texts'."""
    names = [
        (code, name.partition("(")[0]) for code, name in (row for row in _rows("iso3166.tab") if len(row[0]) == _CODE)
    ]
    spoken = (word.split("=") for tongue in languages() for word in texts(tongue)["typed.countries"].split("|"))
    names += [(code, name) for name, code in spoken]
    found = _by_code()
    return found | {_key(name): found[code.lower()] for code, name in names if code.lower() in found}


def _rows(table: str) -> list[list[str]]:
    lines = files("tzdata.zoneinfo").joinpath(table).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line[:1] != "#"]


def _times(zone: str) -> tuple[timedelta | None, ...]:
    """Return the offsets from UTC of a zone in winter and in summer."""
    return tuple(day.replace(tzinfo=info(zone)).utcoffset() for day in _SAMPLES)


def _apart(zones: tuple[str, ...]) -> list[str]:
    """Return the zones of a country: one for each of its times first, and of these the best known."""
    known = {zone: zone not in _ABBREVIATIONS and zone not in CITIES for zone in zones}
    own = {_times(zone): zone for zone in sorted(zones, key=known.__getitem__, reverse=True)}.values()
    return sorted(zones, key=lambda zone: (zone not in own, known[zone]))


def _bare(text: str) -> list[str]:
    """Return the key of a text, and that without words such as "time" in "Tokyo time"."""
    key = _key(text)
    words = [_key(word) for tongue in languages() for word in texts(tongue)["typed.zone"].split("|")]
    cut = [key.removesuffix(word) for word in words] + [key.removeprefix(word) for word in words]
    return list(dict.fromkeys([key, *filter(None, cut)]))


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
