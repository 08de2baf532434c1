"""Times, dates and time zones as people type them."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from cogs.match import time_zones
from cogs.match.refusals import BadHours
from cogs.match.time_zones import info, is_known, spoken_zone, zone_named, zones, zones_like
from cogs.match.typed_times import day_of, days_named, minutes_of, start_of
from data.content.texts import languages, texts

BERLIN = "Europe/Berlin"
LOCALES = {"en": "en-GB", "es": "es-ES", "pt": "pt-BR"}
TIMES = {
    "8:30 pm|8.30pm|20h30|20 h 30|20.30 Uhr|20:30 h|2030|20\uff1a30|20 Uhr 30|à 20h30": 1230,
    "a las 20:30|8:30 p. m.|830pm|8:30 abends|830 PM|20h30min": 1230,
    "8pm|8 p.m.|20h|20 Uhr|às 20h|8 de la tarde|8 da noite|8 heures du soir|\uff18\uff50\uff4d|8 PM|tonight 8": 1200,
    "12am|midnight|Mitternacht|minuit|medianoche|meia-noite|24|24:00|0:00|12 de la noche": 0,
    "12pm|noon|mittags|12 Uhr mittags|midi|a mediodía|meio-dia|12": 720,
    "8 Uhr|8 o\u2019clock|8 de la mañana|8 da manhã|8 du matin|8 am|8 Uhr früh|8 Uhr morgens|08": 480,
}


def at(text: str, zone: str = BERLIN, fold: int = 0) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp())


NOW = at("2026-11-28 09:00")
"""A Saturday."""


@pytest.mark.parametrize(
    ("text", "means"), [(text, means) for all_, means in TIMES.items() for text in all_.split("|")]
)
def test_a_time_of_day_as_it_is_typed_anywhere(text: str, means: int) -> None:
    assert minutes_of(text) == means
    assert minutes_of(f"  {text.upper()} ") == means


@pytest.mark.parametrize(
    "text",
    ["13pm", "0 am", "8:60", "24:30", "25h", "8 am pm", "20 Uhr morgens", "12am noon", "noonish", "8:3", "8-9", "☕"],
)
def test_a_time_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(BadHours) as caught:
        minutes_of(text)
    assert caught.value.reason == "bad_time"


@pytest.mark.parametrize(
    ("text", "locale", "means"),
    [
        ("Fri 20:00", "en-US", "2026-12-04 20:00"),
        ("am Freitag um 20 Uhr", "de", "2026-12-04 20:00"),
        ("vendredi à 20h", "fr", "2026-12-04 20:00"),
        ("na sexta-feira às 20h", "pt-BR", "2026-12-04 20:00"),
        ("el viernes a las 20:00", "es-ES", "2026-12-04 20:00"),
        ("20 Uhr, Freitag", "fr", "2026-12-04 20:00"),
        ("Sat 10:00", "en-US", "2026-11-28 10:00"),
        ("Sat 8:00", "en-US", "2026-12-05 08:00"),
        ("Do 20:00", "de", "2026-12-03 20:00"),
        ("Do 20:00", "es-ES", "2026-11-29 20:00"),
        ("24.12. 20:00", "en-US", "2026-12-24 20:00"),
        ("24.12.2026, 20:00", "de", "2026-12-24 20:00"),
        ("Thu 24.12. 20.00", "de", "2026-12-24 20:00"),
        ("12/24 8pm", "de", "2026-12-24 20:00"),
        ("24/12 8pm", "en-US", "2026-12-24 20:00"),
        ("12/10 8pm", "en-US", "2026-12-10 20:00"),
        ("10/12 20h", "fr", "2026-12-10 20:00"),
        ("10/12 8pm", "en-GB", "2026-12-10 20:00"),
        ("2026-12-24 20:00", "pt-BR", "2026-12-24 20:00"),
        ("2026-12-24T20:00", "pt-BR", "2026-12-24 20:00"),
        ("Dec 24, 8 pm", "en-US", "2026-12-24 20:00"),
        ("24. Dezember, 20 Uhr", "de", "2026-12-24 20:00"),
        ("24 de diciembre a las 20:00", "es-419", "2026-12-24 20:00"),
        ("1er décembre 20h", "fr", "2026-12-01 20:00"),
        ("tomorrow 8pm", "en-US", "2026-11-29 20:00"),
        ("mañana a las 8 de la mañana", "es-ES", "2026-11-29 08:00"),
        ("übermorgen mittags", "de", "2026-11-30 12:00"),
        ("aujourd\u2019hui 20h", "fr", "2026-11-28 20:00"),
        ("8:30", "en-US", "2026-11-29 08:30"),
        ("9:30", "en-US", "2026-11-28 09:30"),
        ("today 8:00", "en-US", "2026-11-28 08:00"),  # over: `StartTimes.set` refuses it
        ("1.1. 18:00", "de", "2027-01-01 18:00"),
    ],
)
def test_a_start_time_with_a_date(text: str, locale: str, means: str) -> None:
    assert start_of(text, BERLIN, NOW, locale) == at(means)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "Fri",
        "24.12.",
        "Fri 24.12. 20:00",
        "31.2. 20:00",
        "next Friday 20:00",
        "Mon Tue 20:00",
        "T 8",
        "99/99 8",
    ],
)
def test_what_is_no_one_time_is_refused(text: str) -> None:
    with pytest.raises(BadHours) as caught:
        start_of(text, BERLIN, NOW, "en-US")
    assert caught.value.reason == "bad_start_time"


def test_every_day_of_a_month_is_understood_in_every_language() -> None:
    """Whatever a language calls a day, the day is the one that is meant."""
    seed = random.randrange(1 << 30)
    print("seed", seed)
    chance = random.Random(seed)
    for code in languages():
        locale, said = LOCALES.get(code, code), texts(code)
        months = said["typed.months"].split("|")
        for ahead in range(1, 31):
            day, minutes = date(2026, 11, 28) + timedelta(days=ahead), chance.randrange(24 * 60)
            time = f"{minutes // 60}:{minutes % 60:02}"
            forms = [day.isoformat(), f"{day.day}.{day.month}.", f"{day.day} {months[day.month - 1]}"]
            forms += [
                f"{day.day}/{day.month}",
                f"{day.day}-{day.month}-{day.year}",
                f"{day.day}.{day.month}.{day.year}",
            ]
            name = said[f"hours.day.{day.weekday()}"]
            forms += [f"{name} {forms[0]}", f"{name}, {forms[1]}", *([name, name.lower()] if 1 < ahead < 7 else [])]
            forms += [said["typed.tomorrow"].split("|")[0]] if ahead == 1 else []
            for form in forms:
                for text in (f"{form} {time}", f"{time} {form}"):
                    found = start_of(text, BERLIN, NOW, locale)
                    assert found == at(f"{day} {minutes // 60:02}:{minutes % 60:02}"), (code, text, seed)
            assert day_of(forms[1], date(2026, 11, 28), locale) == day


def test_times_that_the_clocks_leave_out_or_have_twice() -> None:
    spring, autumn = at("2027-03-27 12:00"), at("2026-10-24 12:00")
    assert start_of("tomorrow 2:30", BERLIN, spring, "en-GB") == at("2027-03-28 03:00")
    assert start_of("2:30", BERLIN, spring, "en-GB") == at("2027-03-28 03:00")
    first, second = at("2026-10-25 02:30"), at("2026-10-25 02:30", fold=1)
    assert second - first == 3600
    assert start_of("tomorrow 2:30", BERLIN, autumn, "en-GB") == first
    assert start_of("2:30", BERLIN, first, "en-GB") == second, "the first has just begun"
    assert start_of("2:30", BERLIN, second, "en-GB") == at("2026-10-26 02:30")


def test_days_of_the_week_by_two_letters_in_the_own_language_first() -> None:
    for code in languages():
        for day in range(7):
            name = texts(code)[f"hours.day.{day}"]
            assert days_named(name, LOCALES.get(code, code)) == {day}
            assert day in days_named(name[:3], LOCALES.get(code, code))
    assert days_named("di", "de") == {1}
    assert days_named("di", "fr") == {6}


# Zones.


@pytest.mark.parametrize(
    ("text", "means"),
    [
        *(("berlin", BERLIN), ("Europe/berlin", BERLIN), ("europe berlin", BERLIN), ("New York", "America/New_York")),
        *(("new-york", "America/New_York"), ("NEW_YORK", "America/New_York"), ("Kyiv", "Europe/Kyiv")),
        *(("São Paulo", "America/Sao_Paulo"), ("sao_paulo", "America/Sao_Paulo"), ("St. Johns", "America/St_Johns")),
        *(("Port au Prince", "America/Port-au-Prince"), ("Buenos Aires", "America/Argentina/Buenos_Aires")),
        *(("EST", "America/New_York"), ("pst", "America/Los_Angeles"), ("CET", BERLIN), ("MESZ", BERLIN)),
        *(("GMT", "UTC"), ("utc", "UTC"), ("UTC+0", "UTC"), ("Z", "UTC"), ("UTC+5:30", "Asia/Kolkata")),
    ],
)
def test_a_zone_as_people_name_it(text: str, means: str) -> None:
    assert zone_named(text) == means


@pytest.mark.parametrize(
    "text",
    [
        "localtime",
        "Factory",
        "posixrules",
        "right/UTC",
        "posix/Europe/Berlin",
        "Etc/GMT+5",
        "IST",
        "",
        "/",
        "UTC+15",
        "UTC-3:30",
    ],
)
def test_what_is_no_zone_or_not_one(text: str) -> None:
    assert zone_named(text) is None
    assert text not in zones()


def test_fixed_offsets_have_the_sign_that_people_mean() -> None:
    for hours in range(-12, 15):
        for text in (f"UTC{hours:+}", f"gmt {hours:+}", f"UTC{hours:+03}:00", f"{hours:+}"):
            zone = zone_named(text)
            assert zone is not None
            assert info(zone).utcoffset(datetime(2026, 7, 1, tzinfo=info(zone))) == timedelta(hours=hours)
        assert zone_named(spoken_zone(zone)) == zone
        assert spoken_zone(zone) == (f"UTC{hours:+}" if hours else "UTC")


def test_every_zone_and_every_place_is_found_and_completed() -> None:
    for zone in zones():
        found = zone_named(zone.upper().replace("_", " "))
        assert found is not None
        for month in (1, 7):  # the same name; "Hongkong" is an old one of Asia/Hong_Kong
            day = datetime(2026, month, 1)
            assert day.replace(tzinfo=info(found)).utcoffset() == day.replace(tzinfo=info(zone)).utcoffset()
        place = zone.rpartition("/")[2].replace("_", "-").lower()
        named = zone_named(place)
        assert named is not None
        assert zone in zones_like(place)
        assert zone in zones_like(zone)[:3]
    assert zones_like("IST")[:3] == ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]
    assert zones_like("cst")[:3] == ["America/Chicago", "Asia/Shanghai", "America/Havana"]
    assert zones_like("berl")[0] == BERLIN


def test_an_abbreviation_has_the_summer_time_of_its_place() -> None:
    for text in ("EST", "EDT", "CET", "PST", "AEDT"):
        zone = zone_named(text)
        assert zone is not None
        winter, summer = (datetime(2026, month, 1, tzinfo=info(zone)).utcoffset() for month in (1, 7))
        assert winter != summer


@pytest.mark.parametrize("zone", ["localtime", "Factory", "Middle-earth/Shire", "../../etc/passwd", "", "Europe", "\0"])
def test_a_zone_that_the_machine_lacks_counts_as_utc(zone: str) -> None:
    assert not is_known(zone)
    assert datetime.fromtimestamp(NOW, info(zone)).utcoffset() == timedelta(0)
    assert start_of("20:30", zone, NOW, "de") == start_of("20:30", "UTC", NOW, "de")
    assert time_zones.is_known("UTC")


def test_any_text_is_a_time_or_is_refused() -> None:
    seed = random.randrange(1 << 30)
    print("seed", seed)
    chance = random.Random(seed)
    words = [
        "24",
        "12",
        "0001",
        "9999",
        "31",
        "2026",
        "20",
        "00",
        "8",
        ".",
        "/",
        "-",
        ":",
        " ",
        " ",
        "h",
        "pm",
        "a.m.",
        "Fri",
        "Di",
    ]
    words += [
        "tomorrow",
        "Dezember",
        "mar",
        "noon",
        "manhã",
        "Uhr",
        "\0",
        "\uff1a",
        "٣",
        "²",
        "(",
        "\\",
        "[",
        "st",
        "T",
        "à",
        "o'clock",
    ]
    for _ in range(3000):
        text = "".join(chance.choice(words) for _ in range(chance.randrange(9)))
        zone = chance.choice([BERLIN, "Asia/Kathmandu", "America/Los_Angeles", "Middle-earth/Shire"])
        for read in (
            lambda text=text, zone=zone: start_of(text, zone, NOW, chance.choice(["en-US", "de"])),
            lambda text=text: minutes_of(text),
            lambda text=text: day_of(text, date(2026, 11, 28), "fr"),
        ):
            try:
                read()
            except BadHours:
                continue
            except Exception as error:
                raise AssertionError((text, zone, seed)) from error
