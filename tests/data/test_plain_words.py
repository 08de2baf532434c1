"""Players read words that people say today: no old-fashioned, odd or private word is left in any text.

A word that may not be used is listed with the languages' own reason. A key that needs one of them is listed as well,
and only that key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from data.content.texts import DEFAULT, languages, own_texts
from tests.support.languages import FILES, complete

BANNED = {
    "en": {
        r"voices?": "vote",
        r"whoever|whomever|who must|who can play": "you, everyone who, the player who",
        r"anew": "again",
        r"asked": "your turn, turn started (only `will be asked` is said)",
        r"some ?body|every ?body|any ?body": "someone, everyone, anyone",
        r"stands?|sits?(?! out)": "is, plays, joins",
        r"be rid of": "get rid of",
        r"call(ed)? off": "cancel, cancelled",
        r"in words": "by typing, text description",
        r"awaited": "everyone else is done",
        r"halted": "on hold",
        r"recorded": "done, saved, counted",
        r"run(s|ning)? out without|has the way on": "press … to continue",
        r"a turn made": "each turn",
        r"for your eyes only|own eyes": "only you can see it",
        r"as it stands": "as it is now",
        r"of no use": "no longer works",
        r"that is no move|is no (date|time)(?! zone)": "is not a …",
        r"that cannot be done": "you cannot do that",
        r"nor of|also none|such a one": "or none",
        r"nothing but to": "only",
        r"may not do enough": "need more permissions",
    },
    "de": {
        r"auffrischen": "aktualisieren",
        r"schub|schübe|schubkarten?": "Verstärkung",
        r"akazie": "Robinie in Full Sun; Photosynthesis has real ones",
        r"meine hand|deine hand|deine hände|hände": "deine Karten, mein Zug",
        r"mitlosen": "Plätze mit auslosen",
        r"an die reihe gekommen": "Zug begonnen",
        r"wessen": "wer",
        r"versiegel\w*": "setzen, wählen",
        r"nichts als zu": "nur",
        r"ausgeschieden ist": "gelöschtes Konto",
        r"stimmst jetzt für nichts": "Stimme zurückgezogen",
        r"notiert": "erledigt, gezählt",
    },
    "es": {
        r"ordenador(es)?|computador(as?|es)": "IA: Spain and America have different words for a computer",
        r"vosotr[oa]s|vuestr[oa]s?|ustedes": "tú, todos, la mesa, or no person",
        r"\w+(asteis|isteis|abais|íais|áis|[^s]éis)": "the verb of one person: tú, la mesa, or se",
        r"clic|clicar|pinch\w+|presion\w+": "pulsa",
        r"anfitri[oó]n\w*": "quien organiza",
        r"apuest\w+|apost\w+": "aporte, aportar",
        r"lobby|ping(s|ue\w*)?": "sala de espera, aviso",
    },
    "pt": {
        r"tu|teus?|tuas?|contigo": "você, seu, sua",
        r"vós|voss[oa]s?": "vocês, de vocês",
        r"ficheiros?": "arquivo",
        r"ecrãs?": "tela",
        r"utilizador(es)?": "pessoa, jogador",
        r"equipas?": "equipe",
        r"batotas?": "trapaça",
        r"apostas?|aposte|apostar": "oferta, oferecer: the coins are no bet",
        r"threads?": "tópico",
        r"pings?": "aviso",
        r"anfitri(ão|ã)": "quem organiza: a host may be a woman",
    },
}
"""By language: a pattern of whole words that no text may have, and what is said instead."""
ALLOWED = {
    ("en", "commands", "command.leave.description"): {"asked"},  # "you will be asked first"
    ("de", "photosynthesis", "game.cover"): {"akazie"},
    ("de", "photosynthesis", "variety.3"): {"akazie"},
    ("de", "photosynthesis", "rules.text"): {"akazie"},
    ("de", "sea_change", "rules.text"): {
        "hände"
    },  # "wenn die Hände leer sind": of all, and it is what card players say
}
"""By language, file and key: words that this one text may have."""
TECHNICAL = re.compile(r"\b(SHA-256|hash(es)?)\b", re.IGNORECASE)
FAIRNESS = re.compile(r"verify\..*|fair\.fingerprint")
"""The texts for those who check a deal: they alone may speak of hashes."""


def banned(code: str, text: str) -> list[str]:
    """Return the words of a text that players should not have to read, in small letters."""
    if code not in BANNED:
        return []
    plain = re.sub(r"\{[^}]*\}", " ", text)
    patterns = "|".join(BANNED[code])
    return [found[0].lower() for found in re.finditer(rf"(?<![\w/])(?:{patterns})(?!\w)", plain, re.IGNORECASE)]


def technical(key: str, text: str) -> bool:
    """Return whether a text says "hash" to players who do not check a deal."""
    return FAIRNESS.fullmatch(key) is None and TECHNICAL.search(re.sub(r"\{[^}]*\}", "", text)) is not None


def wrong(code: str, name: str, found: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the keys whose text has a word that is banned, each with the word."""
    words = [(key, word) for key, text in found.items() for word in banned(code, text)]
    return [
        *((key, word) for key, word in words if word not in ALLOWED.get((code, name, key), ())),
        *((key, "hash") for key, text in found.items() if technical(key, text)),
    ]


NOT_OURS = {
    *("Manage Server", "Privacy Settings", "Edit Channel → Permissions", "Manage Roles", "Server Settings → Roles"),
    *("Server verwalten", "Privatsphäre-Einstellungen", "Kanal bearbeiten → Berechtigungen", "Rollen verwalten"),
    "Servereinstellungen → Rollen",
    *("Gérer le serveur", "Paramètres de confidentialité", "Modifier le salon → Permissions", "Gérer les rôles"),
    "Paramètres du serveur → Rôles",
    *("Sam, Dim", "aucun", "Pour toi\u00a0:"),
    *("Gestionar servidor", "Ajustes de privacidad", "Editar canal → Permisos", "Gestionar roles"),
    "Ajustes del servidor → Roles",
    *("Gerenciar servidor", "Configurações de privacidade", "Editar canal → Permissões", "Gerenciar cargos"),
    "Configurações do servidor → Cargos",
    *("São Paulo", "Sáb, Dom", "Para você:"),
    *("Berlin", "Sat, Sun", "Sa, So", "none", "keine", "table", "tisch", "For you:", "Für dich:"),
    *("sáb, dom", "nada", "mesa", "Para ti:"),
}
"""What stands in italics and is no button of ours: Discord's own menus, and what players type."""


EVERY = [(code, name) for code in (DEFAULT, *languages()) for name in complete(code)]


@pytest.mark.parametrize(("code", "name"), sorted(set(EVERY)))
def test_no_text_has_a_banned_word(code: str, name: str) -> None:
    assert wrong(code, name, own_texts(code, name)) == []


@pytest.mark.parametrize(
    ("code", "text", "word"),
    [
        ("en", "{table}: your voice is in.", "voice"),
        ("en", "Whoever runs me can read it.", "whoever"),
        ("en", "Your turn · asked {since}", "asked"),
        ("en", "Everybody is away.", "everybody"),
        ("en", "{table} stands here now.", "stands"),
        ("en", "You sit at {table}.", "sit"),
        ("en", "You may seal anew.", "anew"),
        ("de", "Auffrischen", "auffrischen"),
        ("de", "{number} Schübe", "schübe"),
        ("de", "Drücke dort *Meine Hand*.", "meine hand"),
        ("es", "Añadir ordenador", "ordenador"),
        ("pt", "Abre o ficheiro.", "ficheiro"),
    ],
)
def test_a_banned_word_is_found(code: str, text: str, word: str) -> None:
    assert wrong(code, "common", {"any.key": text}) == [("any.key", word)]


def test_a_hash_is_for_those_who_check() -> None:
    assert wrong("en", "common", {"lobby.x": "SHA-256 `{hash}`"}) == [("lobby.x", "hash")]
    assert wrong("en", "common", {"verify.x": "SHA-256 `{hash}`", "lobby.x": "`{hash}`"}) == []


def test_what_is_allowed_is_needed() -> None:
    for (code, name, key), words in ALLOWED.items():
        assert words <= set(banned(code, own_texts(code, name)[key])), (code, name, key)


@pytest.mark.parametrize("code", languages())
def test_descriptions_of_commands_fit(code: str) -> None:
    """Discord takes at most 100 characters, and a description that ends in a full stop looks like a mistake."""
    for key, text in own_texts(code, "commands").items():
        if key.endswith(".description"):
            assert 1 <= len(text) <= 100, key
            assert not text.endswith("."), key


@pytest.mark.parametrize("code", languages())
def test_a_button_that_a_text_names_exists(code: str) -> None:
    """*My hand* in a sentence is the name of a button, a select or one of Discord's own menus."""
    found = own_texts(code, "common")
    labels = {text for name in FILES for text in own_texts(code, name).values()}
    for key, text in found.items():
        for label in re.findall(r"(?<!\*)\*([^*{}]+)\*(?!\*)", text):
            assert label in labels | NOT_OURS, (key, label)
