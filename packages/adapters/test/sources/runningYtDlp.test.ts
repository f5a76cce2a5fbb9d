// @module-tag long
/** How a version of yt-dlp is run: by programs that answer in place of Python, and note that they were started. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { makeRunFolder, makeWorkDir } from "@winnow/isolation/process/RunFolder";
import { locatePrograms } from "../../src/programs/ExternalPrograms.ts";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import { makeYtDlp } from "../../src/sources/yt-dlp/YtDlp.ts";
import { temporaryFolder } from "./harness.ts";

/** What Python is told to run the fork server answers as these lines of a shell say. */
const openYtDlp = Effect.fnUntraced(function* (forkServer: string) {
  const folder = temporaryFolder();
  const [python, ytDlp, log] = ["python3", "yt-dlp", "log"].map((name) => join(folder, name));
  const program = `#!/bin/sh
case "$1" in
*ytdlp_server.py) echo server >> ${log}; ${forkServer} ;;
*) echo command >> ${log}; echo '{"id": "1", "title": "By the command"}' ;;
esac
`;
  writeFileSync(python ?? "", program);
  writeFileSync(ytDlp ?? "", `#!${python}\n`);
  for (const file of [python, ytDlp]) chmodSync(file ?? "", 0o755);
  const programs = yield* locatePrograms({ ytDlp, ffmpeg: "/bin/true", ffprobe: "/bin/true" });
  const workDir = yield* makeWorkDir(temporaryFolder());
  const made = yield* makeYtDlp({
    programs,
    version: "2030.01.01",
    extraArgs: [],
    workDir,
    limits: DEFAULT_LIMITS,
    confinedTo: () => null,
    forkServer: true
  });
  const place = { folder: yield* makeRunFolder(workDir), proxyUrl: "http://127.0.0.1:1", cookies: null };
  const inspect = made.inspect("http://one.test/", "1", place);
  return {
    inspect,
    starts: () =>
      readFileSync(log ?? "", "utf8")
        .trim()
        .split("\n")
  };
});

const REFUSES = `echo '{"ready": false, "why": "yt-dlp lacks a member"}'; exit 1`;

describe("A version of yt-dlp", () => {
  it.live("is run by the command if the fork server refuses it, which is asked once", () =>
    Effect.gen(function* () {
      const { inspect, starts } = yield* openYtDlp(REFUSES);
      for (const _ of [1, 2]) assert.deepInclude(yield* inspect, { ok: true });
      assert.deepStrictEqual(starts(), ["server", "command", "command"]);
    }).pipe(Effect.scoped)
  );

  it.live.each([
    ["does not start", "echo broken >&2; exit 1"],
    ["dies while it works", `echo '{"ready": true}'; read request; exit 1`]
  ] as const)("fails with a fork server that %s, and never turns to the command", ([, forkServer]) =>
    Effect.gen(function* () {
      const { inspect, starts } = yield* openYtDlp(forkServer);
      assert.deepInclude(yield* Effect.flip(inspect), { reason: "not_started" });
      assert.notInclude(starts(), "command");
    }).pipe(Effect.scoped)
  );
});

describe("yt-dlp's reader of any page", () => {
  it.live("says that it waits for the page that is shared with it, so that others may start meanwhile", () =>
    Effect.gen(function* () {
      const workDir = yield* makeWorkDir(temporaryFolder());
      const { inspect } = yield* makeYtDlp({
        programs: yield* locatePrograms({}),
        version: null,
        extraArgs: [],
        workDir,
        limits: DEFAULT_LIMITS,
        confinedTo: () => null,
        forkServer: true
      });
      const url = "http://127.0.0.1:9/page";
      const waits = Promise.withResolvers<void>();
      const page = { url, response: Effect.never, onWait: waits.resolve };
      const place = { folder: yield* makeRunFolder(workDir), proxyUrl: url, cookies: null, page };
      const asked = yield* Effect.forkChild(inspect(url, "1", place));
      yield* Effect.promise(() => waits.promise);
      yield* Fiber.interrupt(asked);
    }).pipe(Effect.scoped)
  );
});
