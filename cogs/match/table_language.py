"""The language in which a table speaks to everyone: the server's, unless the lobby's host chooses another.

What only one person reads is in that person's language.
"""

from __future__ import annotations

from dataclasses import replace

from cogs.match.refusals import Reason, Refused
from data.content.texts import language, languages
from data.records.match import Match


def with_language(match: Match, code: str) -> Match:
    """Return the lobby with that language, a code of `languages()`. Refused: there is no such language."""
    if code not in languages():
        raise Refused(Reason.BAD_OPTION)
    server = match.server_locale or match.locale
    if code == language(server):
        return replace(match, locale=server, server_locale=None)
    return replace(match, locale=code, server_locale=server)
