"""An index of yt-dlp's 1,800 extractors: which may match a URL, and which may detect embeds in a page.

A child that tried all of them would copy every memory page that contains one, which takes half the time of inspecting
an article. Both answers may contain too many extractors, never too few. Tests: extractorIndex.test.ts.
"""
import re

from yt_dlp.extractor.common import InfoExtractor

from pattern_literals import LITERAL_MIN_CHARS, literals_in

GRAM_CHARS = LITERAL_MIN_CHARS  # length of the substrings of literals by which extractors are indexed


def patterns_of(extractor):
    if extractor._VALID_URL is False:
        return ()
    return (extractor._VALID_URL,) if isinstance(extractor._VALID_URL, str) else tuple(extractor._VALID_URL)


def literals_of(extractor):
    """Literals of all its URL patterns, in lower case; None if it may match any URL, empty if it matches none."""
    try:
        found = [literals_in(pattern) for pattern in patterns_of(extractor)]
    except TypeError:
        return None
    return set().union(*found) if all(found) else None


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
            if literals is None:
                self.for_any.append(key)
                continue
            for literal in literals:
                self.for_gram.setdefault(self.rarest_gram(literal), []).append((literal, key))
        self.embedding = [extractors[key] for key, each in classes.items() if may_know_embeds(each)]

    def rarest_gram(self, literal):
        """Chooses the gram with the fewest literals so far."""
        grams = [literal[start:start + GRAM_CHARS] for start in range(len(literal) - GRAM_CHARS + 1)]
        new = (gram for gram in grams if gram not in self.for_gram)
        return next(new, None) or min(grams, key=lambda gram: len(self.for_gram[gram]))

    def with_literal_in(self, url):
        """Keys of the extractors with a literal that the URL, in lower case, contains."""
        grams = {url[start:start + GRAM_CHARS] for start in range(len(url) - GRAM_CHARS + 1)}
        return {key for gram in grams for literal, key in self.for_gram.get(gram, ()) if literal in url}

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
