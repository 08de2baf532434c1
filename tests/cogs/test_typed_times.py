"""Times as people type them anywhere: understood, or refused with an example."""

from __future__ import annotations

import random
import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from cogs.match.refusals import BadHours
from cogs.match.typed_times import day_of, minutes_of, start_of
from data.content.texts import languages, texts
from data.content.typed_dates import days_named, week_days
from data.content.typed_words import is_nothing

BERLIN = "Europe/Berlin"
LOCALES = {"en": "en-GB", "es": "es-ES", "pt": "pt-BR"}
TIMES = {
    "8:30 pm|8.30pm|20h30|20 h 30|20.30 Uhr|20:30 h|2030|20\uff1a30|20 Uhr 30|à 20h30": 1230,
    "a las 20:30|8:30 p. m.|830pm|8:30 abends|830 PM|20h30min": 1230,
    "8pm|8 p.m.|20h|20 Uhr|às 20h|8 de la tarde|8 da noite|8 heures du soir|\uff18\uff50\uff4d|8 PM|tonight 8": 1200,
    "12am|midnight|Mitternacht|minuit|medianoche|meia-noite|24|24:00|0:00|12 de la noche": 0,
    "12pm|noon|mittags|12 Uhr mittags|midi|a mediodía|meio-dia|12": 720,
    "half past 8 pm|halb neun abends|8 y media de la tarde|8 heures et demie du soir|oito e meia da noite": 1230,
    "quarter to 9|Viertel vor neun|dreiviertel 9|9 menos cuarto|9h moins le quart|quinze para as nove": 525,
    "ten past eight|zehn nach 8|ocho y diez|huit heures dix|8 e dez|8:10": 490,
    "half past midnight|minuit et demi|12:30 am|halb eins|0h30": 30,
    "8 30 pm|eight thirty pm|8:30p|8:30\u200bpm|\u23f0 20:30|8:30 pm \u2728": 1230,
    "**20:30**|`20:30`|\u201c20:30\u201d|8:30 pm?|8:30 pm!|(20:30)": 1230,
    "null Uhr|z\u00e9ro heure|cero horas|zero horas": 0,
    "eight pm|acht Uhr abends|a eso de las 8 de la tarde|8 pm my time": 1200,
    "20 Uhr Ortszeit|hora local 20:00|huit heures du soir|vinte horas|vingt heures": 1200,
    "from 22|ab 22 Uhr|von 22 Uhr|dès 22h|desde las 22|22:00Uhr|~22:00|ca. 22 Uhr|10 at night|@10pm": 1320,
    "until 7|bis 7 Uhr|jusqu'à 7h|hasta las 7|até as 7h|sieben Uhr frueh|till 7 am": 420,
    "3 de l'après-midi|3h de l'après-midi|3 heures cet après-midi|3 in the afternoon|15h": 900,
    "fuenf vor zwoelf|fünf vor zwölf|11:55|five to twelve|midi moins cinq": 715,
    "8 Uhr|8 o\u2019clock|8 de la mañana|8 da manhã|8 du matin|8 am|8 Uhr früh|8 in der Früh|8 Uhr morgens|08": 480,
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
    [
        *("13pm", "0 am", "8:60", "24:30", "25h", "8 am pm", "20 Uhr morgens", "12am noon", "noonish", "8:3", "8-9"),
        *("☕", "", "25", "soon", "-1", "¹2", "1275", "12:00:00", "٣"),
    ],
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
        ("next Friday 20:00", "en-US", "2026-12-04 20:00"),
        ("this Saturday 20:00", "en-US", "2026-11-28 20:00"),
        ("diesen Samstag 20 Uhr", "de", "2026-11-28 20:00"),
        ("ce samedi \u00e0 20h", "fr", "2026-11-28 20:00"),
        ("este s\u00e1bado a las 20h", "es-ES", "2026-11-28 20:00"),
        ("neste s\u00e1bado \u00e0s 20h", "pt-BR", "2026-11-28 20:00"),
        ("ce vendredi \u00e0 20h", "fr", "2026-12-04 20:00"),
        ("esta sexta \u00e0s 20h", "pt-BR", "2026-12-04 20:00"),
        ("Weds 8pm", "en-GB", "2026-12-02 20:00"),
        ("Wednesday 2 at 8 pm", "en-US", "2026-12-02 20:00"),
        ("le mercredi 2 \u00e0 20h", "fr", "2026-12-02 20:00"),
        ("mi\u00e9rcoles 2, 20:00", "es-ES", "2026-12-02 20:00"),
        ("quarta-feira 2 \u00e0s 20h", "pt-BR", "2026-12-02 20:00"),
        ("heute in einer Woche um 20 Uhr", "de", "2026-12-05 20:00"),
        ("3 days from now at 8 pm", "en-US", "2026-12-01 20:00"),
        ("next Saturday 10:00", "en-US", "2026-12-05 10:00"),
        ("n\u00e4chsten Freitag um 20 Uhr", "de", "2026-12-04 20:00"),
        ("el pr\u00f3ximo viernes a las 20", "es-ES", "2026-12-04 20:00"),
        ("el viernes que viene a las 20h", "es-419", "2026-12-04 20:00"),
        ("vendredi prochain \u00e0 20h", "fr", "2026-12-04 20:00"),
        ("sexta que vem \u00e0s 20h", "pt-BR", "2026-12-04 20:00"),
        ("Saturday next week 8 pm", "en-GB", "2026-12-05 20:00"),
        ("vendredi la semaine prochaine 20h", "fr", "2026-12-04 20:00"),
        ("tonight at eight", "en-US", "2026-11-28 20:00"),
        ("tonight at 1", "en-US", "2026-11-29 01:00"),
        ("tonight at 1 am", "en-US", "2026-11-29 01:00"),
        ("tonight at 12", "en-US", "2026-11-29 00:00"),
        ("tonight at 4", "en-US", "2026-11-28 16:00"),
        ("heute Abend um 1", "de", "2026-11-29 01:00"),
        ("ce soir \u00e0 1h", "fr", "2026-11-29 01:00"),
        ("esta noche a la 1", "es-ES", "2026-11-29 01:00"),
        ("hoje \u00e0 noite \u00e0 1h", "pt-BR", "2026-11-29 01:00"),
        ("Friday evening at 1", "en-US", "2026-12-05 01:00"),
        ("tomorrow evening at half past 12", "en-US", "2026-11-30 00:30"),
        ("this afternoon at 1", "en-US", "2026-11-28 13:00"),
        ("morgen 20 Uhr", "de", "2026-11-29 20:00"),
        ("morgen um halb neun abends", "de", "2026-11-29 20:30"),
        ("ma\u00f1ana a las 20", "es-ES", "2026-11-29 20:00"),
        ("demain 20h30", "fr", "2026-11-29 20:30"),
        ("demain \u00e0 midi et demi", "fr", "2026-11-29 12:30"),
        ("demain 8h et quart", "fr", "2026-11-29 08:15"),
        ("amanh\u00e3 \u00e0s 20h", "pt-BR", "2026-11-29 20:00"),
        ("24 sept 20h", "fr", "2027-09-24 20:00"),
        ("am 5. um 20 Uhr", "de", "2026-12-05 20:00"),
        ("on the 5th at 8 pm", "en-US", "2026-12-05 20:00"),
        ("el d\u00eda 5 a las 20:00", "es-ES", "2026-12-05 20:00"),
        ("le 5 \u00e0 20h", "fr", "2026-12-05 20:00"),
        ("dia 5 \u00e0s 20h", "pt-BR", "2026-12-05 20:00"),
        ("in 2 days at 8 pm", "en-US", "2026-11-30 20:00"),
        ("in einer Woche um 20 Uhr", "de", "2026-12-05 20:00"),
        ("8 pm EST", "de", "2026-11-29 02:00"),
        ("20h hor\u00e1rio de Bras\u00edlia", "pt-BR", "2026-11-29 00:00"),
        ("mars 3, 20h", "fr", "2027-03-03 20:00"),
        ("Fri 20:00 UTC", "en-US", "2026-12-04 21:00"),
        ("20:00 UTC+2", "fr", "2026-11-28 19:00"),
        ("20:00 +02:00", "fr", "2026-11-28 19:00"),
        ("2026-12-24T20:00Z", "de", "2026-12-24 21:00"),
        ("Fri 8 pm Europe/London", "en-GB", "2026-12-04 21:00"),
        ("tomorrow 20:00 New York time", "en-US", "2026-11-30 02:00"),
        ("20 Uhr, London", "de", "2026-11-28 21:00"),
        ("<t:1796151600:F>", "pt-BR", "2026-12-01 20:00"),
        ("2026-12-04T20:00:00+01:00", "de", "2026-12-04 20:00"),
        ("2026-12-04T19:00:00.000Z", "de", "2026-12-04 20:00"),
        ("8 pm in London", "en-GB", "2026-11-28 21:00"),
        ("8pm UTC tomorrow", "en-US", "2026-11-29 21:00"),
        ("2moro 8pm", "en-US", "2026-11-29 20:00"),
        ("Friday @ 8pm", "en-US", "2026-12-04 20:00"),
        ("Friday @8pm", "en-US", "2026-12-04 20:00"),
        ("Freitagabend 20 Uhr", "de", "2026-12-04 20:00"),
        ("Sonntagnachmittag um 3", "de", "2026-11-29 15:00"),
        ("Freitagmorgen um 9", "de", "2026-12-04 09:00"),
        ("uebermorgen 20 Uhr", "de", "2026-11-30 20:00"),
        ("naechsten Freitag um fuenf nach 8", "de", "2026-12-04 08:05"),
        ("5. Maerz 20:00", "de", "2027-03-05 20:00"),
        ("tomorrow night 8", "en-US", "2026-11-29 20:00"),
        ("heute Nacht um 1", "de", "2026-11-29 01:00"),
        ("heute Nacht um 23 Uhr", "de", "2026-11-28 23:00"),
        ("cet après-midi à 15h", "fr", "2026-11-28 15:00"),
        ("demain après-midi à 3h", "fr", "2026-11-29 15:00"),
    ],
)
def test_a_start_time_with_a_date(text: str, locale: str, means: str) -> None:
    assert start_of(text, BERLIN, NOW, locale) == at(means)


SPANS = {
    "in 2 hours|in two hours|in 2 Stunden|in zwei Stunden|en 2 horas|dentro de dos horas|daqui a 2 horas": 120,
    "dans 2 heures|in 2h|in 120 min|in 120 minutes|em duas horas": 120,
    "dans deux heures|in 2 std|in 2 Std.|in 120 Min.|  IN 2 HOURS ": 120,
    "in 90 min|in 90 Minuten|en 90 minutos|dans 90 min|daqui a 90 minutos|in 1h30|in 1 h 30 min|in 1.5 hours": 90,
    "in an hour and a half|in anderthalb Stunden|en hora y media|dans une heure et demie|em uma hora e meia": 90,
    "in an hour|in 1 h|in einer Stunde|en una hora|dans une heure|daqui a uma hora|em 1 hora": 60,
    "half an hour|a half hour|30 min|eine halbe Stunde|une demi-heure|media hora|meia hora|+30 min|in a half hour": 30,
    "an hour|eine Stunde|1 Stunde|60 Minuten|+1h|+60 min": 60,
    "2 hours|zwei Stunden|in 2 hrs|120 minutos|+2h": 120,
    "2 hours from now|two hours from now|2 Stunden ab jetzt|in a couple of hours|a couple of hours": 120,
    "1 hour 30 minutes|1 hour and 30 minutes|1 Stunde 30 Minuten|90m|90 minutes from now": 90,
    "in three quarters of an hour|in einer dreiviertel Stunde|dans trois quarts d'heure|tres cuartos de hora": 45,
    "em tr\u00eas quartos de hora|eine Dreiviertelstunde|three quarters of an hour": 45,
    "in two and a half hours|in zweieinhalb Stunden|in 2 and a half hours|em duas horas e meia": 150,
    "in half an hour|in einer halben Stunde|en media hora|dans une demi-heure|daqui a meia hora": 30,
    "in 2 hours and 30 minutes|in 2,5 Stunden|dans 2 heures et demie|dentro de dos horas y media": 150,
}


@pytest.mark.parametrize(
    ("text", "minutes"), [(text, minutes) for all_, minutes in SPANS.items() for text in all_.split("|")]
)
def test_a_span_from_now(text: str, minutes: int) -> None:
    for zone in (BERLIN, "America/Los_Angeles", "UTC"):
        assert start_of(text, zone, NOW, "en-US") == NOW + minutes * 60


REFUSED = {
    "bad_start_time": "soon|Fri 24.12. 20:00|31.2. 20:00|Mon Tue 20:00|T 8|99/99 8||in|in 8 pm|in 2 moons|20:00 - 10:00"
    "|20:00 -10:00|8pm or 9pm|von 20 bis 22 Uhr|20:00 nowhere|<t:>|<t:9e99>",
    "no_time_of_day": "Fri|24.12.|tomorrow|next Friday|tonight|morgen Abend|ma\u00f1ana|ce soir|in 3 days",
    "start_now": "now|right now|jetzt|sofort|ahora|maintenant|tout de suite|Agora|in 0 min|in 0 Stunden",
}
"""What is no one time, a day without a time, and what the button *Start* is for."""


@pytest.mark.parametrize(("text", "why"), [(text, why) for why, all_ in REFUSED.items() for text in all_.split("|")])
def test_what_is_no_one_time_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadHours) as caught:
        start_of(text, BERLIN, NOW, "en-US")
    assert caught.value.reason == why
    assert caught.value.facts.get("text", text) == text and ("text" in caught.value.facts or why == "start_now")


@pytest.mark.parametrize("code", languages())
def test_the_examples_that_a_refusal_gives_are_understood(code: str) -> None:
    """What stands as code in the refusals, and in the form's label."""
    said, locale = texts(code), LOCALES.get(code, code)
    for key in ("bad_start_time", "no_time_of_day", "bad_time"):
        examples = re.findall(r"`([^`]+)`", said[f"refused.{key}"])
        assert len(examples) == 2, "two examples"
        assert re.search(
            r"[\u201c\u201e\u00ab][ \u00a0]?\{text\}[ \u00a0]?[\u201d\u201c\u00bb]", said[f"refused.{key}"]
        ), "in quotes"
        for example in examples:
            assert (minutes_of(example) if key == "bad_time" else start_of(example, BERLIN, NOW, locale)) is not None
    first, *others = re.split(r", | (?:or|oder|o|ou) ", said["start.time_label"])
    assert len(others) == 2
    for example in (first.rpartition(" ")[2], *others):
        assert start_of(example, BERLIN, NOW, locale) > NOW


@pytest.mark.parametrize("code", languages())
def test_the_word_that_removes_hours_is_understood(code: str) -> None:
    assert is_nothing(texts(code)["hours.nothing"])


def test_days_of_a_month_are_understood_in_every_language() -> None:
    """Whatever a language calls a day, the day is the one that is meant: the next days, and some others."""
    seed = random.randrange(1 << 30)
    print("seed", seed)
    chance = random.Random(seed)
    for code in languages():
        locale, said = LOCALES.get(code, code), texts(code)
        months = said["typed.months"].split("|")
        for ahead in (1, 2, 6, *chance.sample(range(7, 31), 7)):
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
    assert week_days("WE", "de") == {5, 6} and week_days("mo we", "en-GB") == {0, 2}
    assert days_named("WE", "de") == frozenset()
    assert week_days("2ª e 3ª", "pt-BR") == {0, 1}
    for code in languages():
        for day in range(7):
            name = texts(code)[f"hours.day.{day}"]
            assert days_named(name, LOCALES.get(code, code)) == {day}
            assert day in days_named(name[:3], LOCALES.get(code, code))
    assert days_named("di", "de") == {1}
    assert days_named("di", "fr") == {6}


PIECES = "24|12|0001|9999|31|2026|20|00|8|pm|a.m.|Fri|Di|tomorrow|Dezember|mar|noon|manhã|Uhr|st|o'clock"


def test_any_text_is_a_time_or_is_refused() -> None:
    seed = random.randrange(1 << 30)
    print("seed", seed)
    chance = random.Random(seed)
    words = [*PIECES.split("|"), *"./-:  hTà([\\²٣\uff1a\0"]
    for _ in range(1000):
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
