// @module-tag long
/** The limit on the total size of a run's files: a run whose program keeps writing small files fails as too large. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { runBounded } from "@winnow/isolation/process/BoundedProcess";
import { makeProgramFolder, withinFolder } from "@winnow/isolation/process/RunFolder";
import { examineSandbox } from "@winnow/isolation/sandbox/Sandbox";
import { downloaderOf, openRunFolder, openSite, runFolders, temporaryFolder, until } from "./harness.ts";

const MIB = 2 ** 20;

const report = await examineSandbox();
const site = await openSite();

/** A fake yt-dlp that writes small files until it is stopped, some of them in folders. */
const WRITER = `#!/bin/sh
case "$*" in *--version*) echo 2026.08.19; exit;; esac
n=0
while :; do
  mkdir -p "d$n" && head -c 1000000 /dev/zero > "d$n/f" || exit
  n=$((n + 1))
done
`;

const writer = (): string => {
  const folder = join(temporaryFolder(), "bin");
  mkdirSync(folder);
  const path = join(folder, "yt-dlp");
  writeFileSync(path, WRITER);
  chmodSync(path, 0o755);
  return path;
};

describe("the folder of a run", () => {
  it.live("has a size limit; a program that exceeds it is killed with its children", () =>
    Effect.gen(function* () {
      const run = yield* openRunFolder(temporaryFolder());
      const folder = yield* makeProgramFolder(run);
      const limit = { maxBytes: 4 * MIB, failure: () => "too large" as const };
      const command = {
        program: "/bin/sh",
        folder,
        environment: { PATH: "/usr/bin:/bin" },
        timeoutMs: 100_000,
        stdoutMaxBytes: 1_000
      };
      const script = WRITER.slice(WRITER.indexOf("n=0"));
      const wrote = runBounded({ ...command, args: ["-c", script] });
      assert.strictEqual(yield* Effect.flip(withinFolder(wrote, run, limit)), "too large");
      assert.isTrue(existsSync(join(folder, "d3", "f")));
    }).pipe(Effect.scoped)
  );

  it.live("does not limit programs below it, and does not count sparse holes", () =>
    Effect.gen(function* () {
      const run = yield* openRunFolder(temporaryFolder());
      const folder = yield* makeProgramFolder(run);
      const limit = { maxBytes: 4 * MIB, failure: () => "too large" as const };
      const ended = runBounded({
        program: "/bin/sh",
        args: ["-c", "truncate -s 1G holes; head -c 1000000 /dev/zero > f; sleep 1.2"],
        folder,
        environment: { PATH: "/usr/bin:/bin" },
        timeoutMs: 100_000,
        stdoutMaxBytes: 1_000
      });
      assert.strictEqual((yield* withinFolder(ended, run, limit)).exitCode, 0);
    }).pipe(Effect.scoped)
  );

  for (const sandbox of report.works ? (["off", "required"] as const) : (["off"] as const)) {
    it.live(`is limited during an inspection, sandbox ${sandbox}: too_large, and nothing is left`, () =>
      Effect.gen(function* () {
        const workDir = temporaryFolder();
        const downloader = downloaderOf(site, workDir, {
          sandbox,
          forkServer: false,
          programs: { ytDlp: writer() },
          ytDlpArgs: [],
          limits: { inspectBudgetBytes: MIB, folderNotesMaxBytes: MIB, inspectTimeoutMs: 100_000 }
        });
        const failure = yield* Downloader.use(({ inspect }) =>
          Effect.flip(inspect(`${site.url}/watch/talk`, {}))
        ).pipe(Effect.provide(downloader));
        assert.deepInclude(failure, { _tag: "Failed", reason: "too_large" });
        yield* until(() => runFolders(workDir).length === 0);
      })
    );
  }
});
