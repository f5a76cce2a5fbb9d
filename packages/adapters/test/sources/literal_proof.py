"""Proves on the syntax tree of Python's own parser that every match of a pattern contains one of some literals."""
try:
    from re import _constants as codes, _parser as parser
except ImportError:  # before Python 3.11
    import sre_constants as codes
    import sre_parse as parser

TEXTS_MAX = 5_000  # then what was matched so far counts as unknown
REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, getattr(codes, 'POSSESSIVE_REPEAT', None)}
WITHOUT_TEXT = {codes.AT, codes.ASSERT, codes.ASSERT_NOT}


def without_literal(pattern, texts, literals):
    """What may have been matched after the pattern, following one of the texts, without any of the literals, which
    are given by their last character. An empty text stands for one that is unknown.
    """
    for code, argument in pattern:
        before = texts
        if code is codes.LITERAL:
            last = chr(argument).lower()
            texts = {text + last for text in before}
            texts = {text for text in texts if not text.endswith(literals.get(last, ()))}
        elif code is codes.SUBPATTERN:
            texts = without_literal(argument[-1], before, literals)
        elif code is getattr(codes, 'ATOMIC_GROUP', None):
            texts = without_literal(argument, before, literals)
        elif code is codes.BRANCH:
            texts = set().union(*(without_literal(branch, before, literals) for branch in argument[1]))
        elif code is codes.IN and all(kind is codes.LITERAL for kind, _ in argument):  # of alternatives like a|b
            texts = set().union(*(without_literal([each], before, literals) for each in argument))
        elif code in REPEATS:
            least, most, repeated = argument
            texts = without_literal(repeated, before, literals)
            texts = (texts if most == 1 or not texts else texts | {''}) | (set() if least else before)
        elif code not in WITHOUT_TEXT:
            texts = {''} if before else set()
        if len(texts) > TEXTS_MAX:
            texts = {''}
    return texts


def each_match_contains(literals, pattern):
    by_last = {}
    for literal in literals:
        by_last[literal[-1]] = (*by_last.get(literal[-1], ()), literal)
    return not without_literal(parser.parse(pattern), {''}, by_last)
