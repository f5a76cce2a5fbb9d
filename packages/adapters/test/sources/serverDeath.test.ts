// @module-tag faults: kills the server while others use the processor; failed in two of five whole runs, not explained yet
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { downloaderOf, openSite, processesIn, serversIn, temporaryFolder, until } from "./harness.ts";

const site = await openSite();
const folder = temporaryFolder();

describe("when the fork server is killed", () => {
  it.live("it is restarted, its children die with it, and what it worked on is repeated", () =>
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
