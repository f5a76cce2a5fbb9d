"""An index of yt-dlp's 1,800 extractors: which may match a URL, and which may detect embeds in a page.

A child that tried all of them would copy every memory page that contains one, which takes half the time of inspecting
an article. Both answers may contain too many extractors, never too few.
"""
import re

from yt_dlp.extractor.common import InfoExtractor

try:
    from re import _constants as codes, _parser as parser
except ImportError:  # before Python 3.11
    import sre_constants as codes
    import sre_parse as parser

GRAM_CHARS = 5  # length of the substrings of literals by which extractors are indexed
COMMON_START = re.compile(r'^(?:https?|s)?(?:://)?(?:www\.)?')  # beginnings of literals that too many URLs contain
PLAIN = re.compile(r'https\?://(?:\((?:\?:)?[^()|]*\)\?)?((?:[A-Za-z0-9-]|\\\.)+)(?![?*+{])')  # a literal host name
ESCAPE, SET, GROUP = re.compile(r'\\.', re.DOTALL), re.compile(r'\[\^?\]?[^\]]*\]'), re.compile(r'\([^()]*\)')


def better(one, other):
    """Returns the set of literals whose shortest one is longer."""
    if one is None or other is None:
        return one or other
    return one if min(map(len, one)) >= min(map(len, other)) else other


def required(pattern):
    """Literals of which every match contains at least one; None if none is long enough."""
    found, run = None, ''
    for code, argument in [*pattern, (None, None)]:
        if code is codes.LITERAL:
            run += chr(argument)
            continue
        if code is codes.AT:
            continue
        run = COMMON_START.sub('', run)
        if len(run) >= GRAM_CHARS:
            found = better(found, {run})
        run = ''
        if code is codes.SUBPATTERN:
            found = better(found, required(argument[-1]))
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and argument[0] > 0:
            found = better(found, required(argument[2]))
        elif code is codes.BRANCH:
            branches = [required(branch) for branch in argument[1]]
            if all(branches):
                found = better(found, set().union(*branches))
    return found


def has_alternatives(pattern):
    """Whether the pattern has alternatives outside of all groups."""
    if '|' not in pattern:
        return False
    rest, groups = SET.sub('', ESCAPE.sub('', pattern)), 1
    while groups:
        rest, groups = GROUP.subn('', rest)
    return '|' in rest


def plain_host(pattern):
    """The host name at the beginning of most patterns, found without parsing them, which takes fifty times as long.

    None if it is uncertain.
    """
    start = PLAIN.match(pattern)
    host = start and COMMON_START.sub('', start.group(1).replace('\\.', '.'))
    return {host} if host and len(host) >= GRAM_CHARS and not has_alternatives(pattern) else None


def patterns_of(extractor):
    if extractor._VALID_URL is False:
        return ()
    return (extractor._VALID_URL,) if isinstance(extractor._VALID_URL, str) else tuple(extractor._VALID_URL)


def literals_of(extractor):
    """Literals of all its URL patterns, in lower case; None if it may match any URL, empty if it matches none."""
    try:
        found = [plain_host(pattern) or required(parser.parse(pattern)) for pattern in patterns_of(extractor)]
    except (re.error, TypeError):
        return None
    return {literal.lower() for literal in set().union(*found)} if all(found) else None


def overrides(extractor, *names):
    return any(getattr(getattr(extractor, name), '__func__', None) is not getattr(InfoExtractor, name).__func__
               for name in names)


def may_know_embeds(extractor):
    return bool(extractor._EMBED_REGEX) or overrides(
        extractor, 'extract_from_webpage', '_extract_from_webpage', '_extract_embed_urls')


class Extractors(dict):
    """Replaces a YoutubeDL's dictionary of extractors: it calls items() for a URL, and values() for embeds."""

    def __init__(self, extractors):
        super().__init__(extractors)
        self.url = ''
        self.places = {key: place for place, key in enumerate(self)}
        self.for_any, self.for_gram = [], {}
        classes = {key: each if isinstance(each, type) else type(each) for key, each in extractors.items()}
        for key, extractor in classes.items():
            literals = None if overrides(extractor, 'suitable', '_match_valid_url') else literals_of(extractor)
            if literals is None or not all(map(str.isascii, literals)):
                self.for_any.append(key)
                continue
            for literal in literals:
                self.for_gram.setdefault(self.rarest_gram(literal), []).append(key)
        self.embedding = [extractors[key] for key, each in classes.items() if may_know_embeds(each)]

    def rarest_gram(self, literal):
        """Chooses the gram with the fewest extractors so far."""
        grams = [literal[start:start + GRAM_CHARS] for start in range(len(literal) - GRAM_CHARS + 1)]
        return min(grams, key=lambda gram: len(self.for_gram.get(gram, ())))

    def with_literal_in(self, url):
        """Keys of the extractors with a literal that the URL, in lower case, may contain."""
        keys = set()
        for start in range(len(url) - GRAM_CHARS + 1):
            keys.update(self.for_gram.get(url[start:start + GRAM_CHARS], ()))
        return keys

    def items(self):
        url = self.url.lower()
        if not url.isascii():  # case-insensitive patterns also match some non-ASCII letters for ASCII ones
            return super().items()
        keys = self.with_literal_in(url).union(self.for_any)
        return [(key, self[key]) for key in sorted(keys, key=self.places.__getitem__)]

    def values(self):
        return self.embedding

    def compile_for(self, url):
        """Compiles the patterns of the extractors that may match this URL, except those that may match any URL, which
        are compiled at the start; all 1,800 take a third of a second."""
        url = url.lower()
        for key in self.with_literal_in(url) if url.isascii() else self:
            try:
                for pattern in patterns_of(self[key]):
                    re.compile(pattern)
            except (re.error, TypeError):
                pass  # an invalid pattern of a plugin, which is reported when the plugin is used
