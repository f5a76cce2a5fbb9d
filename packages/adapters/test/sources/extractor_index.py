"""Prints as JSON where the index of extractors differs from yt-dlp.

These are test URLs of yt-dlp for which it selects another extractor, missing extractors of embedded media, and
patterns that have a match without the literals by which they are indexed.
Arguments: folder of the index, and N: every Nth of some 19,000 URLs is tried.
"""
import json
import os
import sys

os.environ['YTDLP_NO_LAZY_EXTRACTORS'] = '1'
if os.environ.get('WINNOW_YTDLP_IMPORT_PATH'):
    sys.path.insert(0, os.environ['WINNOW_YTDLP_IMPORT_PATH'])
sys.path.insert(0, sys.argv[1])

import extractor_index
from literal_proof import each_match_contains
from pattern_literals import literals_in
from yt_dlp.extractor import gen_extractor_classes

every = {each.ie_key(): each for each in gen_extractor_classes()}
index = extractor_index.Extractors(every)
urls = {test['url'] for each in every.values() for test in each.get_testcases(include_onlymatching=True)}
urls |= {url.swapcase() for url in urls} | {f'https://example.com/?next={url}' for url in urls}
left_out, asked = [], []
for index.url in sorted(urls)[::int(sys.argv[2])]:
    keys = [key for key, _ in index.items()]
    asked.append(len(keys))
    first = next((key for key in every if every[key].suitable(index.url)), None)
    asked_first = next((key for key in keys if every[key].suitable(index.url)), None)
    if first != asked_first:
        left_out.append([index.url, first, asked_first])
known = {id(each) for each in index.values()}
silent = [key for key, each in every.items() if id(each) not in known and each._EMBED_REGEX]
patterns = [pattern for each in every.values() for pattern in extractor_index.patterns_of(each)]
indexed = [(pattern, literals) for pattern in patterns if (literals := literals_in(pattern))]
unproven = [pattern for pattern, literals in indexed if not each_match_contains(literals, pattern)]
wrongly_proven = [pattern for pattern in patterns[::20] if each_match_contains({'other text'}, pattern)]
json.dump({'extractors': len(every), 'urls': len(asked), 'leftOut': left_out, 'silent': silent,
           'askedMedian': sorted(asked)[len(asked) // 2], 'embedding': len(known), 'patterns': len(patterns),
           'indexed': len(indexed), 'unproven': unproven, 'wronglyProven': wrongly_proven}, sys.stdout)
