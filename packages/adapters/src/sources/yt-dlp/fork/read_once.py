"""What yt-dlp's reader of any page need not ask for again: the page, which Winnow's own reader fetches, and manifests.

The server writes the page to the child's folder once it is there: first the body, then its headers, or null if the child
has to ask for itself. Tests: runningYtDlp.test.ts, MediaDownloader.test.ts.
"""
import io
import json
import os
import re
import time
import types
import urllib.request

import yt_dlp.networking.common as networking

BODY, HEADERS = 'page', 'page.json'
LOOK_EVERY_SECONDS = 0.005
LOOK_EVERY_SHARE = 0.02  # of the wait so far: 64 that look for slow pages every 5 ms take a processor
NEXT_COOKIE = re.compile(r', (?=[^;,\s=]+=)')  # repeated headers are joined by a comma, which dates have too
MANIFEST = re.compile(r'mpegurl|dash\+xml', re.IGNORECASE)
MANIFESTS_BYTES_MAX = 1_048_576  # of all that are told to the server: half an hour of one-second segments has 0.25 MB


class ReadOnce:
    def __init__(self, ydl, url, ask, report):
        self.ydl, self.ask, self.report = ydl, ask, report
        self.page_url = networking.Request(url).url
        self.manifests = {}  # texts by URL

    def open(self, request):
        is_plain = isinstance(request, networking.Request) and request.method == 'GET' \
            and not request.extensions.get('impersonate')
        if not is_plain:
            return self.ask(request)
        if request.url in self.manifests:
            return networking.Response(io.BytesIO(self.manifests[request.url].encode()), request.url, {})
        page = self.shared_page() if request.url == self.page_url else None
        response = page or self.ask(request)
        return response if page or not MANIFEST.search(response.get_header('content-type', '')) else \
            self.kept(request.url, response)

    def kept(self, url, response):
        body = response.read()
        size = sum(map(len, self.manifests.values())) + len(body)
        if response.url == url and size <= MANIFESTS_BYTES_MAX:
            self.manifests[url] = body.decode(errors='replace')
        return networking.Response(io.BytesIO(body), response.url, response.headers)

    def wait_for_headers(self):
        os.write(self.report, b'{}\n')  # waiting needs no processor
        since = time.monotonic()
        while True:
            try:
                with open(HEADERS, encoding='utf-8') as file:
                    return json.load(file)
            except (FileNotFoundError, ValueError):
                time.sleep(max(LOOK_EVERY_SECONDS, (time.monotonic() - since) * LOOK_EVERY_SHARE))

    def shared_page(self):
        headers = self.wait_for_headers()
        if headers is None:
            return None
        cookies = NEXT_COOKIE.split(headers.pop('set-cookie', ''))
        response = networking.Response(open(BODY, 'rb'), self.page_url, headers)
        for cookie in filter(None, cookies):
            response.headers.add_header('set-cookie', cookie)
        self.ydl.cookiejar.extract_cookies(types.SimpleNamespace(info=lambda: response.headers),
                                           urllib.request.Request(self.page_url))
        return response
