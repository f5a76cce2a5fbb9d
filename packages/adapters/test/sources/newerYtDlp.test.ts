// @module-tag faults: packs and starts changed versions of yt-dlp
/** What happens when an upgrade of yt-dlp drops or changes what the fork server uses of it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";
import { reportYtDlp } from "../../src/sources/ProgramReport.ts";
import { makeYtDlpServer } from "../../src/sources/yt-dlp/YtDlpServer.ts";
import { downloaderOf, openSite, temporaryFolder } from "./harness.ts";
import { oldestYtDlp, testedYtDlp } from "./oldestYtDlp.ts";

const site = await openSite();

/**
 * The installed version as a release file, with a part of its source replaced. It has few extractors, because Python
 * compiles every file that it imports from a release file.
 */
const PACK = `
import os, re, stat, sys, zipfile, yt_dlp
packed, pattern, replacement = sys.argv[1:]
root = os.path.dirname(os.path.dirname(yt_dlp.__file__))
with open(packed, 'wb') as file:
    file.write(f'#!{sys.executable}\\n'.encode())
with zipfile.ZipFile(packed, 'a') as archive:
    archive.writestr('__main__.py', 'import yt_dlp\\nyt_dlp.main()\\n')
    for folder, _, files in os.walk(os.path.dirname(yt_dlp.__file__)):
        for file in files:
            path = os.path.join(folder, file)
            if not file.endswith('.py'):
                continue
            with open(path, encoding='utf-8') as source:
                text = source.read()
            if path.endswith('extractor/_extractors.py'):
                text = 'from .generic import GenericIE\\nfrom .bandcamp import BandcampIE\\n'
            archive.writestr(os.path.relpath(path, root), re.sub(pattern, replacement, text))
os.chmod(packed, 0o755)
`;

/** The program, after replacing what the pattern (Python's) matches in its source. */
const changed = Effect.fnUntraced(function* (pattern: string, replacement: string) {
  const packed = join(temporaryFolder(), "yt-dlp");
  const programs = yield* locatePrograms({});
  const { interpreter, importPath } = programs.ytDlpPython ?? { interpreter: "python3", importPath: null };
  const env = { ...process.env, ...(importPath === null ? {} : { PYTHONPATH: importPath }) };
  execFileSync(interpreter, ["-c", PACK, packed, pattern, replacement], { env });
  return packed;
});

/** Starts the fork server with this program. */
const started = Effect.fnUntraced(function* (ytDlp: string) {
  const folder = temporaryFolder();
  const { path, ytDlpPython } = yield* locatePrograms({ ytDlp });
  const python = ytDlpPython ?? assert.fail("a program that Python cannot import");
  const server = yield* makeYtDlpServer({
    python,
    path,
    argv: ["--ignore-config"],
    folder,
    confinement: null
  });
  yield* server.start;
});

describe("The fork server", () => {
  it.live("starts with the version of the lock file, and with the oldest supported one", () =>
    Effect.forEach([testedYtDlp, oldestYtDlp], (version) =>
      Effect.flatMap(version, ({ ytDlp }) => started(ytDlp))
    )
  );

  it.live("starts with a newer yt-dlp that dropped a feature", () =>
    // RTSP, which yt-dlp dropped in July 2026.
    Effect.flatMap(changed(String.raw`(?m)^.*\bRtspFD\b.*$`, ""), started)
  );

  it.live.each([
    ["renamed", String.raw`\bextract_subtitles\b`, "read_subtitles", "lacks InfoExtractor.extract_subtitles"],
    ["renamed", String.raw`\b_ies_instances\b`, "_instances", "lacks YoutubeDL._ies_instances"],
    ["moved", String.raw`\bload_all_plugins\b`, "load_them_all", "cannot import name 'load_all_plugins'"],
    [
      "given another name as an argument",
      String.raw`\bauto_init\b`,
      "self_init",
      "unexpected keyword argument 'auto_init'"
    ],
    ["given another meaning", String.raw`\bin ies\.items\(\)`, "in ies.pairs()", "fails in the fork server"]
  ] as const)(
    "refuses to run it, and says why, when a member is %s (%s)",
    ([, pattern, replacement, message]) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Effect.flatMap(changed(pattern, replacement), started));
        assert.strictEqual(failure._tag, "ServerRefused");
        assert.include("why" in failure ? failure.why : "", message);
      })
  );
});

describe("An inspection", () => {
  it.live("is run by the command if the fork server lacks a member of this yt-dlp, as doctor tells", () =>
    Effect.gen(function* () {
      const ytDlp = yield* changed(String.raw`\bextract_comments\b`, "read_comments");
      const failure = yield* Effect.flip(started(ytDlp));
      assert.deepInclude(failure, { _tag: "ServerRefused" });
      const [forkServer] = yield* reportYtDlp({ ytDlp }, null);
      assert.isNull(forkServer?.found);
      assert.match(forkServer?.purpose ?? "", /lacks InfoExtractor\.extract_comments; without it,/u);
      const inspected = Downloader.use((downloader) => downloader.inspect(`${site.url}/watch/talk`, {}));
      const layer = downloaderOf(site, temporaryFolder(), {
        programs: { ytDlp },
        ytDlpArgs: [],
        limits: { inspectTimeoutMs: 100_000 }
      });
      const facts = yield* Effect.provide(inspected, layer);
      assert.strictEqual(facts.kind, "video");
    })
  );
});
