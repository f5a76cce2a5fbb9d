// @module-tag long
/** `winnow programs` and what `doctor` says of it; installing is tested in adapters (programs/python, sources/versions). */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { changeVersionState, readVersionState } from "@winnow/adapters/programs/python/VersionFile";
import { offer } from "@winnow/adapters/programs/python/VersionState";
import * as Effect from "effect/Effect";
import { vi } from "vitest";
import type { Finding } from "../src/doctor.ts";
import { temporaryFolder } from "@winnow/server/test/TemporaryFolder";
import { winnow } from "@winnow/server/test/WinnowProgram";

/** A dozen program starts, on a busy machine. */
vi.setConfig({ testTimeout: 240_000 });

/** Newer than any yt-dlp on PATH. */
const OLD = "2099.01.01";
const NEW = "2099.02.02";

/** A data directory with programs that only know their version. */
const prepared = Effect.gen(function* () {
  const dataDir = yield* temporaryFolder("programs");
  for (const version of [OLD, NEW]) {
    const bin = join(dataDir, "programs/yt-dlp", version, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "../environment.json"), JSON.stringify({ version, lock: "" }));
    for (const name of ["yt-dlp", "gallery-dl"]) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    }
  }
  const run = (words: string, more: Record<string, string> = {}) =>
    winnow(words.split(" "), { WINNOW_DATA_DIR: dataDir, ...more });
  const notes = Effect.map(run("programs list"), ({ stdout }) =>
    stdout.split("\n").flatMap(
      (line) =>
        line
          .match(/^(\S+) +(.*?|-) +\/\S+$/u)
          ?.slice(1, 3)
          .join(" ")
          .replace(/ -$/u, "") ?? []
    )
  );
  const find = (name: string) =>
    Effect.map(run("doctor --programs --json"), ({ stdout }) =>
      (JSON.parse(stdout) as ReadonlyArray<Finding>).find((finding) => finding.name === name)
    );
  return { dataDir, run, notes, find };
});

describe("winnow programs", () => {
  it.live("uses the newest version, goes back to the one before, and uses one on request", () =>
    Effect.gen(function* () {
      const { find, notes, run } = yield* prepared;
      assert.deepStrictEqual(yield* notes, [`${NEW} in use`, OLD]);
      const back = yield* run("programs rollback");
      assert.include(back.stdout, `yt-dlp ${OLD} is used instead of ${NEW}`);
      assert.deepStrictEqual(yield* notes, [`${NEW} rejected`, `${OLD} in use`]);
      assert.include((yield* find("yt-dlp"))?.detail, OLD);
      assert.include((yield* find("gallery-dl"))?.detail, OLD);
      yield* run(`programs use ${NEW}`);
      assert.deepStrictEqual(yield* notes, [`${NEW} in use, chosen`, OLD]);
    })
  );

  it.live("says in one sentence what it cannot do, and changes nothing", () =>
    Effect.gen(function* () {
      const { dataDir, run } = yield* prepared;
      const offline = { PIP_INDEX_URL: "http://127.0.0.1:9/simple", PIP_RETRIES: "1", PIP_FIND_LINKS: "" };
      for (const [words, message] of [
        ["programs use 2020.01.01", "yt-dlp 2020.01.01 is older than 2025.04.30, the oldest version"],
        ["programs use newest", '"newest" is no version of yt-dlp, such as 2026.10.26.'],
        [
          "programs update",
          "Versions of yt-dlp could not be looked up: the Python package index does not answer"
        ],
        ["programs update --channel nightly", "Versions of yt-dlp could not be looked up"],
        [
          "programs use 2099.03.03",
          "yt-dlp 2099.03.03 could not be locked: the Python package index does not"
        ]
      ] as const) {
        const { code, stderr } = yield* run(words, offline);
        assert.strictEqual(code, 1, words);
        assert.include(stderr, message);
      }
      assert.deepInclude(readVersionState(dataDir), { pinned: null, rejected: [], probation: null });
    })
  );

  it.live("has no effect if a setting names the program, which it says", () =>
    Effect.gen(function* () {
      const { dataDir, run } = yield* prepared;
      const ytDlp = join(dataDir, "programs/yt-dlp", OLD, "bin/yt-dlp");
      const { stderr } = yield* run("programs list", { WINNOW_YTDLP: ytDlp });
      assert.include(stderr, "WINNOW_YTDLP is set");
    })
  );
});

describe("doctor", () => {
  it.live("shows a version that is available or on probation", () =>
    Effect.gen(function* () {
      const { dataDir, find, notes, run } = yield* prepared;
      assert.isUndefined(yield* find("yt-dlp updates"));
      yield* Effect.promise(() => changeVersionState(dataDir, (state) => offer(state, NEW)));
      yield* Effect.promise(() =>
        changeVersionState(dataDir, (state) => ({ ...state, available: "2099.03.03" }))
      );
      assert.deepStrictEqual(yield* find("yt-dlp updates"), {
        name: "yt-dlp updates",
        state: "warning",
        detail: `${NEW} is on probation, 2099.03.03 is available`,
        remedy: "winnow programs update"
      });
      assert.deepStrictEqual(yield* notes, [`${NEW} on probation`, `${OLD} in use`]);
      yield* run("programs rollback");
      assert.deepStrictEqual(yield* notes, [`${NEW} rejected`, `${OLD} in use`]);
    })
  );
});
