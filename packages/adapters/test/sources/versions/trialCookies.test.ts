import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { versionsFolder } from "../../../src/programs/python/DownloaderEnvironment.ts";
import { changeVersionState, type YtDlpProgram } from "../../../src/programs/python/VersionFile.ts";
import { makeRunFolder } from "@winnow/isolation/process/RunFolder";
import { NOTHING_KNOWN } from "../../../src/programs/python/VersionTrial.ts";
import type { YtDlp, YtDlpPlace } from "../../../src/sources/yt-dlp/YtDlp.ts";
import { makeYtDlpVersions } from "../../../src/sources/yt-dlp/versions/YtDlpVersions.ts";
import { temporaryFolder } from "../harness.ts";

const [OLD, NEW] = ["2030.01.01", "2030.02.02"];

/** What a version would get. */
interface Given {
  readonly version: string | null;
  readonly hasCookies: boolean;
}

/** A yt-dlp that reads everything, on a machine where nothing is run. */
const readerOf = (version: string | null, given: Array<Given>): YtDlp => {
  const info = { id: "1", title: "Talk", _version: { version } };
  const read = ({ cookies }: YtDlpPlace) =>
    Effect.sync(() => {
      given.push({ version, hasCookies: cookies !== null });
      return { ok: true as const, info };
    });
  return {
    inspect: (_url, _items, place) => read(place),
    comments: (_url, place) => read(place),
    download: (_info, _file, place) => Effect.map(read(place), (answer) => ({ answer, file: null })),
    warm: Effect.void,
    ready: Effect.void
  } as YtDlp;
};

it.effect("a version on trial gets no cookies, whatever it read before", () =>
  Effect.gen(function* () {
    const dataDir = temporaryFolder();
    for (const version of [OLD, NEW]) {
      mkdirSync(join(versionsFolder(dataDir), version), { recursive: true });
      writeFileSync(join(versionsFolder(dataDir), version, "environment.json"), "{}");
    }
    // The new version is asked first for this host.
    const tallies = { "one.test": { read: 0, lost: 0, rescued: 2 } };
    yield* Effect.promise(() =>
      changeVersionState(dataDir, () => ({ ...NOTHING_KNOWN, trial: { version: NEW, tallies } }))
    );
    const given: Array<Given> = [];
    const first: YtDlpProgram = { version: OLD, ytDlp: join(versionsFolder(dataDir), OLD, "bin", "yt-dlp") };
    const ytDlp = yield* makeYtDlpVersions({
      dataDir,
      onPath: null,
      first,
      make: ({ version }) => Effect.succeed(readerOf(version, given))
    });
    const place: YtDlpPlace = {
      folder: yield* makeRunFolder(dataDir),
      proxyUrl: "http://127.0.0.1:1",
      cookies: null,
      again: Effect.suspend(() => Effect.succeed(place))
    };
    const withCookies: YtDlpPlace = {
      ...place,
      cookies: { path: join(dataDir, "jar.txt"), hosts: null },
      again: Effect.suspend(() => Effect.succeed(withCookies))
    };
    const url = "http://one.test/watch/talk";
    const byNew = { webpage_url: url, _version: { version: NEW } };
    for (const each of [place, withCookies]) {
      yield* ytDlp.inspect(url, "1", each);
      yield* ytDlp.comments(url, each);
      yield* ytDlp.download(byNew, "media", each, () => undefined);
    }
    assert.deepStrictEqual(given, [
      ...Array.from({ length: 3 }, () => ({ version: NEW, hasCookies: false })),
      ...Array.from({ length: 3 }, () => ({ version: OLD, hasCookies: true }))
    ]);
  }).pipe(Effect.scoped)
);
