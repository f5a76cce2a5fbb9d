/**
 * A Python package index on loopback (PEP 503, with times of uploads by PEP 700) with versions of yt-dlp made for a test: the installed yt-dlp with one
 * extractor, for `http://HOST.test/watch/…`, which fails on some hosts. pip installs them like any other.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../../src/programs/ExternalPrograms.ts";

export interface RiggedVersion {
  /** As yt-dlp reports it, such as `2026.11.20`. */
  readonly version: string;
  /** Hosts whose pages it cannot read. */
  readonly broken?: ReadonlyArray<string>;
  /** Whether the index names another hash than that of the file. */
  readonly wrongHash?: boolean;
  /** When its file was uploaded, by ISO 8601; default: long ago. Null: the index does not say. */
  readonly uploadedAt?: string | null;
}

/** Only modules that are loaded are packed, because pip compiles each. */
const PACK = `
import json, os, sys, zipfile
folder, rigged = sys.argv[1], json.loads(sys.argv[2])
import yt_dlp, yt_dlp.downloader.hls, yt_dlp.downloader.dash, yt_dlp.downloader.external
import yt_dlp.extractor.bandcamp, yt_dlp.extractor.generic
root = os.path.dirname(os.path.dirname(yt_dlp.__file__))
loaded = {'yt_dlp/extractor/extractors.py'} | {os.path.relpath(each.__file__, root) for each in list(sys.modules.values())
          if getattr(each, '__file__', None) and each.__name__.startswith('yt_dlp.extractor')}
EXTRACTOR = r'''
from urllib.parse import urljoin
from .common import InfoExtractor
from ..utils import ExtractorError
from ..version import __version__

class RiggedIE(InfoExtractor):
    _VALID_URL = r'https?://(?P<host>[\\w.]+)\\.test(?::\\d+)?/watch/(?P<id>[\\w-]+)'

    def _real_extract(self, url):
        host, name = self._match_valid_url(url).group('host', 'id')
        self._download_webpage(url, name)
        if host in BROKEN:
            raise ExtractorError('Unable to extract player data', expected=False)
        return {'id': name, 'title': f'{host} by {__version__}', 'duration': 5, 'formats': [{
            'url': urljoin(url, '/media/talk.mp4'), 'ext': 'mp4', 'format_id': '0', 'vcodec': 'avc1.42c00b',
            'acodec': 'mp4a.40.2', 'width': 160, 'height': 120}]}
'''

def wheel(name, version, files):
    module = name.replace('-', '_')
    info = f'{module}-{version}.dist-info'
    with zipfile.ZipFile(f'{folder}/{module}-{version}-py3-none-any.whl', 'w') as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n')
        archive.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        archive.writestr(f'{info}/RECORD', ''.join(f'{path},,\\n' for path in [*files, f'{info}/METADATA', f'{info}/WHEEL', f'{info}/RECORD']))

files = {}
for place, _, names in os.walk(os.path.join(root, 'yt_dlp')):
    for name in names:
        path = os.path.join(place, name)
        inside = os.path.relpath(path, root)
        is_unused = inside.startswith('yt_dlp/extractor/') and inside not in loaded
        if not name.endswith('.py') or is_unused or name == 'lazy_extractors.py':
            continue
        with open(path, encoding='utf-8') as source:
            files[inside] = source.read()
files['yt_dlp/extractor/_extractors.py'] = 'from .rigged import RiggedIE\\nfrom .bandcamp import BandcampIE\\nfrom .generic import GenericIE\\n'
plain = '.'.join(str(int(part)) for part in rigged['version'].split('.'))
files['yt_dlp/extractor/rigged.py'] = f'BROKEN = {rigged.get("broken", [])!r}\\n' + EXTRACTOR
files['yt_dlp/version.py'] = files['yt_dlp/version.py'].replace(yt_dlp.version.__version__, rigged['version'])
wheel('yt-dlp', plain, files)
wheel('gallery-dl', '1.0', {'gallery_dl/__init__.py': 'def main():\\n    print("1.0")\\n'})
`;

export interface PackageIndex {
  /** The value of PIP_INDEX_URL. */
  readonly url: string;
  /** Publishes a version. */
  readonly publish: (rigged: RiggedVersion) => Effect.Effect<void>;
}

const filesOf = (folder: string, project: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith(`${project.replace("-", "_")}-`))
    .map((name) => ({
      name,
      hash: createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")
    }));

const pageOf = (folder: string, project: string, wrong: ReadonlySet<string>): string =>
  filesOf(folder, project)
    .map(
      ({ hash, name }) =>
        `<a href="/files/${name}#sha256=${wrong.has(name) ? "0".repeat(64) : hash}">${name}</a>`
    )
    .join("\n");

/** What pip does not ask for alone. */
const JSON_TYPE = "application/vnd.pypi.simple.v1+json";

const jsonOf = (folder: string, project: string, times: ReadonlyMap<string, string | null>): string =>
  JSON.stringify({
    meta: { "api-version": "1.1" },
    name: project,
    files: filesOf(folder, project).map(({ hash, name }) => {
      const uploadedAt = times.has(name) ? times.get(name) : "2020-01-01T00:00:00Z";
      const time = uploadedAt === null ? {} : { "upload-time": uploadedAt };
      return { filename: name, url: `/files/${name}`, hashes: { sha256: hash }, ...time };
    })
  });

/** Listens until the scope closes. */
export const openPackageIndex = Effect.fnUntraced(function* (folder: string) {
  const files = join(folder, "files");
  mkdirSync(files);
  const wrong = new Set<string>();
  const times = new Map<string, string | null>();
  const server = createServer(({ headers, url = "" }, response) => {
    const [, kind, name = ""] = url.split("/");
    try {
      if (kind === "simple" && headers.accept === JSON_TYPE) {
        response.setHeader("content-type", JSON_TYPE);
        response.end(jsonOf(files, name, times));
      } else if (kind === "simple") {
        response.setHeader("content-type", "text/html");
        response.end(`<!DOCTYPE html><html><body>${pageOf(files, name, wrong)}</body></html>`);
      } else response.end(readFileSync(join(files, name)));
    } catch {
      response.writeHead(404).end();
    }
  });
  yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()));
  const publish = Effect.fnUntraced(function* (rigged: RiggedVersion) {
    const { ytDlpPython } = yield* Effect.orDie(locatePrograms({}));
    const { interpreter, importPath } = ytDlpPython ?? { interpreter: "python3", importPath: null };
    const env = { ...process.env, ...(importPath === null ? {} : { PYTHONPATH: importPath }) };
    execFileSync(interpreter, ["-c", PACK, files, JSON.stringify(rigged)], { env });
    const plain = rigged.version.split(".").map(Number).join(".");
    const name = `yt_dlp-${plain}-py3-none-any.whl`;
    if (rigged.wrongHash === true) wrong.add(name);
    if (rigged.uploadedAt !== undefined) times.set(name, rigged.uploadedAt);
  });
  const index: PackageIndex = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`,
    publish
  };
  return index;
});
