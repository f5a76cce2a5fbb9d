// @module-tag alone: its own death
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import {
  downloaderOf,
  isDownloading,
  openSite,
  processesIn,
  runFolders,
  serversIn,
  temporaryFolder,
  until
} from "./harness.ts";

const site = await openSite();
const folder = temporaryFolder();

const VICTIM = fileURLToPath(new URL("./site/victim.ts", import.meta.url));

describe("when processes are killed", () => {
  it.live("nothing survives this process, and the next one cleans up after it", () =>
    Effect.gen(function* () {
      const workDir = join(folder, "killed");
      mkdirSync(workDir);
      const victim = spawn(process.execPath, [VICTIM, site.url, workDir], { stdio: "inherit" });
      yield* Effect.addFinalizer(() => Effect.sync(() => victim.kill("SIGKILL")));
      yield* until(() => isDownloading(workDir));
      const ended = once(victim, "exit");
      victim.kill("SIGKILL");
      // The kernel gives its locks back before that.
      yield* Effect.promise(() => ended);
      yield* until(() => processesIn(workDir).length === 0 && serversIn(workDir).length === 0);
      assert.isNotEmpty(runFolders(workDir));
      yield* Effect.void.pipe(Effect.provide(downloaderOf(site, workDir)));
      assert.deepStrictEqual(runFolders(workDir), []);
    })
  );
});
