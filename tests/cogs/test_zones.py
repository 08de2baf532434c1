"""Time zones as people name them: found, proposed, told."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from cogs.match import time_zones
from cogs.match.time_zones import info, is_known, meant_by, spoken_zone, zone_named, zones, zones_like
from cogs.match.typed_times import start_of
from data.content.texts import languages, texts
from tests.cogs.test_typed_times import BERLIN, NOW

# Zones.


@pytest.mark.parametrize(
    ("text", "means"),
    [
        *(("berlin", BERLIN), ("Europe/berlin", BERLIN), ("europe berlin", BERLIN), ("New York", "America/New_York")),
        *(("new-york", "America/New_York"), ("NEW_YORK", "America/New_York"), ("Kyiv", "Europe/Kyiv")),
        *(("São Paulo", "America/Sao_Paulo"), ("sao_paulo", "America/Sao_Paulo"), ("St. Johns", "America/St_Johns")),
        *(("Port au Prince", "America/Port-au-Prince"), ("Buenos Aires", "America/Argentina/Buenos_Aires")),
        *(("EST", "America/New_York"), ("pst", "America/Los_Angeles"), ("CET", BERLIN), ("MESZ", BERLIN)),
        *(
            ("munich", BERLIN),
            ("M\u00fcnchen", BERLIN),
            ("NYC", "America/New_York"),
            ("san francisco", "America/Los_Angeles"),
        ),
        *(("Nueva York", "America/New_York"), ("Ciudad de M\u00e9xico", "America/Mexico_City")),
        *(("La Habana", "America/Havana"), ("Kanaren", "Atlantic/Canary"), ("Ankara", "Europe/Istanbul")),
        *(("germany", BERLIN), ("Deutschland", BERLIN), ("France", "Europe/Paris"), ("UK", "Europe/London")),
        *(("Berlin, Germany", BERLIN), ("London (UK)", "Europe/London"), ("Germany/Berlin", BERLIN)),
        *(("New York, USA", "America/New_York"), ("UK time", "Europe/London")),
        *(("tokyo time", "Asia/Tokyo"), ("hora de Madrid", "Europe/Madrid"), ("heure de Paris", "Europe/Paris")),
        *(
            ("Eastern time", "America/New_York"),
            ("CEST", BERLIN),
            ("LA", "America/Los_Angeles"),
            ("India", "Asia/Kolkata"),
        ),
        *(("GMT", "UTC"), ("utc", "UTC"), ("UTC+0", "UTC"), ("Z", "UTC"), ("UTC+5:30", "Asia/Kolkata")),
    ],
)
def test_a_zone_as_people_name_it(text: str, means: str) -> None:
    assert zone_named(text) == means


@pytest.mark.parametrize(
    "text",
    [
        *("localtime", "Factory", "posixrules", "right/UTC", "posix/Europe/Berlin", "Etc/GMT+5"),
        *("IST", "", "Middle-earth/Shire", "../../etc/passwd"),
        *("/", "UTC+15"),
        *("my time", "no time", "Paris, Texas", "Berlin, Berlin", "London, Germany", ",", "\U0001f4cd"),
        *("USA", "Brasil", "Espa\u00f1a", "Australia", "germny", "UTC-3:30"),
    ],
)
def test_what_is_no_zone_or_not_one(text: str) -> None:
    assert zone_named(text) is None
    assert text not in zones()


def test_fixed_offsets_have_the_sign_that_people_mean() -> None:
    for hours in range(-12, 15):
        for text in (f"UTC{hours:+}", f"gmt {hours:+}", f"UTC{hours:+03}:00", f"{hours:+}"):
            zone = zone_named(text)
            assert info(zone).utcoffset(datetime(2026, 7, 1, tzinfo=info(zone))) == timedelta(hours=hours)
        assert zone_named(spoken_zone(zone)) == zone
        assert spoken_zone(zone) == (f"UTC{hours:+}" if hours else "UTC")


def test_every_zone_and_every_place_is_found_and_completed() -> None:
    for zone in zones():
        found = zone_named(zone.upper().replace("_", " "))
        for month in (1, 7):  # the same name; "Hongkong" is an old one of Asia/Hong_Kong
            day = datetime(2026, month, 1)
            assert day.replace(tzinfo=info(found)).utcoffset() == day.replace(tzinfo=info(zone)).utcoffset()
        place = zone.rpartition("/")[2].replace("_", "-").lower()
        assert zone_named(place) is not None
        assert zone in zones_like(place)
        assert zone in zones_like(zone)[:3]
    assert zones_like("IST")[:3] == ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]
    assert zones_like("cst")[:3] == ["America/Chicago", "Asia/Shanghai", "America/Havana"]
    assert zones_like("berl")[0] == BERLIN


def test_a_country_is_its_zone_or_proposes_one_of_each_of_its_times() -> None:
    for country, zone in (
        ("USA", "America/New_York"),
        ("Brasil", "America/Sao_Paulo"),
        ("Espa\u00f1a", "Europe/Madrid"),
    ):
        found = zones_like(country)
        assert found[0] == zone, "the best known first"
        assert zone_named(country) is None, "it has several times"
        offsets = [datetime(2026, 1, 15, tzinfo=info(name)).utcoffset() for name in found[:3]]
        assert len(set(offsets)) > 1
    assert zones_like("USA")[:4] == ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"]
    assert zones_like("rus")[0] == zones_like("Russland")[0] == zones_like("Rusia")[0] == "Europe/Moscow"
    assert BERLIN in zones_like("ger")
    assert zones_like("mun")[0] == BERLIN
    for text, zone in (
        ("germny", BERLIN),
        ("berln", BERLIN),
        ("new yrok", "America/New_York"),
        ("sidney", "Australia/Sydney"),
    ):
        assert zone in zones_like(text), "spelled alike"
    assert zones_like("xqzzy") == []


def test_what_a_text_is_taken_for_is_told_unless_it_names_the_zone() -> None:
    for text in ("EST", "Germany", "Munich", "tokyo time"):
        assert meant_by(text) == zone_named(text) is not None
    for text in ("Berlin", "Europe/Berlin", "new york", "UTC", "UTC+2", "GMT", "xqzzy"):
        assert meant_by(text) is None


@pytest.mark.parametrize("code", languages())
def test_the_countries_of_a_language_are_known(code: str) -> None:
    for name, country in (word.split("=") for word in texts(code)["typed.countries"].split("|")):
        there = time_zones.by_country()[country.lower()]
        assert (zone_named(name) or zones_like(name)[0]) in (*there, name), name


def test_the_cities_are_no_place_of_a_zone_already() -> None:
    places = {zone.rpartition("/")[2].replace("_", " ") for zone in zones()}
    for zone, cities in time_zones.CITIES.items():
        assert zone in zones()
        assert places.isdisjoint(cities.split("|"))


def test_an_abbreviation_has_the_summer_time_of_its_place() -> None:
    for text in ("EST", "EDT", "CET", "PST", "AEDT"):
        zone = zone_named(text)
        winter, summer = (datetime(2026, month, 1, tzinfo=info(zone)).utcoffset() for month in (1, 7))
        assert winter != summer


@pytest.mark.parametrize("zone", ["localtime", "Factory", "Middle-earth/Shire", "../../etc/passwd", "", "Europe", "\0"])
def test_a_zone_that_the_machine_lacks_counts_as_utc(zone: str) -> None:
    assert not is_known(zone)
    assert datetime.fromtimestamp(NOW, info(zone)).utcoffset() == timedelta(0)
    assert start_of("20:30", zone, NOW, "de") == start_of("20:30", "UTC", NOW, "de")
    assert time_zones.is_known("UTC")
