"""Literals of which every match of a regular expression contains at least one.

Found by a scan for groups and literal characters: Python's own parser takes five times as long for the patterns of
1,800 extractors. Whatever the scan does not know may match anything, so it may find no literals, but never wrong ones.
Tests: extractorIndex.test.ts.
"""
import re

LITERAL_MIN_CHARS = 4
COMMON_START = re.compile(r'^(?:https?|s)?(?:://)?(?:www)?\.?')  # beginnings of literals that too many URLs contain
SET = r'\[\^?\]?(?:\\.|[^\]\\])*\]'
FLAGS = re.compile(r'\(\?([aiLmsux]+)\)')
VERBOSE = re.compile(rf'((?:\\.|{SET}|[^\\\[#\s])+)|\s+|#[^\n]*', re.DOTALL)  # what counts; or spaces or a comment
TOKEN = re.compile(rf'''
    (?P<literal> (?: [\w/:=&%\#~@!<>;,"'-] | \\[!-/:-@\[-^`{{-~] )+ (?![?*{{]) )  # the last one may not be optional
    | (?P<unknown> \\(?:x..|u.{{4}}|U.{{8}}|N\{{[^}}]*\}}|\d+|.) | {SET} | \{{\d*,?\d*\}} | \(\?\#[^)]*\) )
    | (?P<verbose> \(\?[a-zA-Z-]*x[a-zA-Z-]*[:)] )
    | (?P<group> \( (?: \?: | \?P<\w+> | (?!\?) ) )
    | (?P<aside> \(\? )  # a group that need not match, such as a look-ahead
    | (?P<maybe> \)[?*{{] )
    | (?P<end> \) )
    | (?P<or> \| )
''', re.VERBOSE | re.DOTALL | re.ASCII)


def better(one, other):
    """The literals of which the shortest is longer."""
    if one and other:
        return one if min(map(len, one)) >= min(map(len, other)) else other
    return one or other


def any_of(alternatives):
    return set().union(*alternatives) if all(alternatives) else None


def without_spaces(pattern):
    """The pattern without what the flag x, if it begins with it, makes insignificant."""
    flags = FLAGS.match(pattern)
    if not flags:
        return pattern
    pattern = pattern[flags.end():]
    return VERBOSE.sub(r'\1', pattern) if 'x' in flags[1] else pattern


def literals_in(pattern):
    """In lower case; None if none is known."""
    pattern = without_spaces(pattern)
    has_alternatives = '|' in pattern
    groups = [('group', [None])]  # those around the token, with what is known of each of their alternatives
    for token in TOKEN.finditer(pattern):
        kind, known = token.lastgroup, groups[-1][1]
        if kind == 'literal':
            text = COMMON_START.sub('', token[0].replace('\\', '')).lower()
            if len(text) < LITERAL_MIN_CHARS:
                continue
            if '.' in text and len(groups) == 1 and not has_alternatives:
                return {text}  # a host name, mostly
            known[-1] = better(known[-1], {text})
        elif kind == 'or':
            known.append(None)
        elif kind in ('group', 'aside'):
            groups.append((kind, [None]))
        elif kind in ('maybe', 'end') and len(groups) > 1:
            opened, _ = groups.pop()
            if (opened, kind) == ('group', 'end'):
                around = groups[-1][1]
                around[-1] = better(around[-1], any_of(known))
        elif kind != 'unknown':
            return None
    return any_of(groups[0][1]) if len(groups) == 1 else None
