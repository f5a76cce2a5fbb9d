"""Prints which extractors yt-dlp selects for URLs. Argument: folder of the index of extractors.

Each line of standard input is a JSON list of URLs, and is answered by a line with the names of their extractors.
Without input, prints all of yt-dlp's own test URLs.
"""
import json
import os
import sys

os.environ['YTDLP_NO_LAZY_EXTRACTORS'] = '1'
if os.environ.get('WINNOW_YTDLP_IMPORT_PATH'):
    sys.path.insert(0, os.environ['WINNOW_YTDLP_IMPORT_PATH'])
sys.path.insert(0, sys.argv[1])

import extractor_index
from yt_dlp.extractor import gen_extractor_classes

every = {each.ie_key(): each for each in gen_extractor_classes()}
index = extractor_index.Extractors(every)


def extractor_of(url):
    index.url = url
    return next((key for key, each in index.items() if each.suitable(url)), None)


lines = sys.stdin.read().splitlines()
if not lines:
    urls = {test['url'] for each in every.values() for test in each.get_testcases(include_onlymatching=True)}
    json.dump(sorted(urls), sys.stdout)
for line in lines:
    print(json.dumps([extractor_of(url) for url in json.loads(line)]))
