// @module-tag faults: kills the process, and the fork server
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
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

  it.live(
    "a fork server that dies is restarted, its children die with it, and what it worked on is repeated",
    () =>
      Effect.gen(function* () {
        const workDir = join(folder, "server");
        mkdirSync(workDir);
        /** Once nothing is left of the one before. */
        const theServer = Effect.gen(function* () {
          yield* until(() => serversIn(workDir).length === 1);
          return serversIn(workDir)[0] ?? assert.fail("no fork server");
        });
        yield* Effect.gen(function* () {
          const downloader = yield* Downloader;
          yield* downloader.inspect(`${site.url}/fx/video`, {});
          const server = yield* theServer;
          process.kill(server, "SIGKILL");
          // On a busy machine it dies late, and would still answer.
          yield* until(() => !serversIn(workDir).includes(server));
          const facts = yield* downloader.inspect(`${site.url}/fx/video?again`, {});
          assert.strictEqual(facts.kind, "video");
          const next = yield* theServer;
          assert.notStrictEqual(next, server);
          const fiber = yield* Effect.forkChild(Effect.exit(downloader.inspect(`${site.url}/slow`, {})));
          yield* until(() => processesIn(workDir).length > 0);
          const children = processesIn(workDir);
          process.kill(next, "SIGKILL");
          yield* until(() => children.every((pid) => !processesIn(workDir).includes(pid)));
          assert.isUndefined(fiber.pollUnsafe());
        }).pipe(Effect.scoped, Effect.provide(downloaderOf(site, workDir)));
        assert.deepStrictEqual(processesIn(workDir), []);
        yield* until(() => serversIn(workDir).length === 0);
      })
  );
});
