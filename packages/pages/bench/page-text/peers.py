"""Markdown and plain text of pages (one JSON {html, url} a line) by Python's readers, with their time in milliseconds."""

import json
import sys
import time

import rs_trafilatura
import trafilatura


def by_trafilatura(page):
    return trafilatura.extract(
        page["html"],
        url=page["url"],
        output_format="markdown",
        include_formatting=True,
        include_links=True,
        include_tables=True,
    )


def by_rs_trafilatura(page):
    found = rs_trafilatura.extract(page["html"], url=page["url"], output_markdown=True, include_links=True)
    return found.content_markdown


def plain_by_trafilatura(page):
    return trafilatura.extract(page["html"], url=page["url"])


def plain_by_rs_trafilatura(page):
    return rs_trafilatura.extract(page["html"], url=page["url"]).main_content


READERS = {
    "trafilatura": by_trafilatura,
    "rs-trafilatura": by_rs_trafilatura,
    "trafilatura, plain text": plain_by_trafilatura,
    "rs-trafilatura, plain text": plain_by_rs_trafilatura,
}


def read(reader, page):
    try:
        return reader(page) or ""
    except Exception:
        return ""


pages = [json.loads(line) for line in sys.stdin]
for name, reader in READERS.items():
    for page in pages[:10]:
        read(reader, page)
    cpu, wall = time.process_time(), time.perf_counter()
    texts = [read(reader, page) for page in pages]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps({"name": name, "texts": texts, "cpuMs": 1000 * cpu / len(pages), "wallMs": 1000 * wall / len(pages)}))
