// @module-tag alone: its own death
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import { makeRunFolder, programsFolderOf, sweepWorkDir } from "@winnow/isolation/process/RunFolder";
import {
  downloaderOf,
  isDownloading,
  isRunning,
  openSite,
  processesIn,
  runFolders,
  temporaryFolder,
  until
} from "./harness.ts";

const site = await openSite();
const folder = temporaryFolder();

const VICTIM = fileURLToPath(new URL("./site/victim.ts", import.meta.url));

/** Processes whose working directory is the parent of all programs' folders, like the fork server's. */
const serversIn = (workDir: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === programsFolderOf(workDir) &&
          readFileSync(`/proc/${pid}/cmdline`).length > 0
        );
      } catch {
        return false;
      }
    });

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
      // Leftovers of a running process are not touched, and its exit may be reported last.
      yield* Effect.promise(() => ended);
      yield* until(() => processesIn(workDir).length === 0 && serversIn(workDir).length === 0);
      assert.isNotEmpty(runFolders(workDir));
      yield* Effect.void.pipe(Effect.provide(downloaderOf(site, workDir, { warmStart: false })));
      assert.deepStrictEqual(runFolders(workDir), []);
    })
  );

  it.live.skipIf(process.platform !== "linux")(
    "a server that has ended counts as dead even before it is reaped",
    () =>
      Effect.gen(function* () {
        const workDir = join(folder, "uncollected");
        mkdirSync(workDir);
        const own = basename((yield* makeRunFolder(workDir)).path);
        // The shell becomes `sleep`, which never reaps its child. The child ends only after that, because the
        // shell would reap it.
        const child = "until grep -qx sleep /proc/$$/comm; do sleep 0.01; done";
        const parent = spawn("/bin/sh", ["-c", `(${child}) & echo $!; exec sleep 600`], {
          stdio: ["ignore", "pipe", "inherit"]
        });
        yield* Effect.addFinalizer(() => Effect.sync(() => parent.kill("SIGKILL")));
        const [said] = yield* Effect.promise(() => once(parent.stdout, "data"));
        const pid = Number(String(said));
        const ticks = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[19];
        yield* until(() => !isRunning(pid));
        const left = own.replace(/_\d+_\d+_(?=[^_]*$)/u, `_${pid}_${ticks}_`);
        assert.notStrictEqual(left, own);
        mkdirSync(join(workDir, left));
        yield* sweepWorkDir(workDir);
        assert.isTrue(existsSync(`/proc/${pid}`), "it was collected");
        assert.deepStrictEqual(runFolders(workDir), [own]);
      }).pipe(Effect.scoped)
  );

  it.live("a fork server that dies is restarted, and the inspection it was working on is repeated", () =>
    Effect.gen(function* () {
      const workDir = join(folder, "server");
      mkdirSync(workDir);
      yield* Effect.gen(function* () {
        const downloader = yield* Downloader;
        yield* downloader.inspect(`${site.url}/fx/video`, {});
        const [server] = serversIn(workDir);
        process.kill(server ?? assert.fail("no fork server"), "SIGKILL");
        const facts = yield* downloader.inspect(`${site.url}/fx/video?again`, {});
        assert.strictEqual(facts.kind, "video");
        const [next] = serversIn(workDir);
        assert.isTrue(next !== undefined && next !== server);
      }).pipe(Effect.provide(downloaderOf(site, workDir)));
      yield* until(() => serversIn(workDir).length === 0);
    })
  );

  it.live("children of a killed fork server die with it", () =>
    Effect.gen(function* () {
      const workDir = join(folder, "children");
      mkdirSync(workDir);
      yield* Effect.gen(function* () {
        const downloader = yield* Downloader;
        yield* downloader.inspect(`${site.url}/article`, {});
        const fiber = yield* Effect.forkChild(Effect.exit(downloader.inspect(`${site.url}/slow`, {})));
        yield* until(() => processesIn(workDir).length > 0);
        const children = processesIn(workDir);
        process.kill(serversIn(workDir)[0] ?? assert.fail("no fork server"), "SIGKILL");
        yield* until(() => children.every((pid) => !processesIn(workDir).includes(pid)));
        assert.isUndefined(fiber.pollUnsafe());
      }).pipe(Effect.scoped, Effect.provide(downloaderOf(site, workDir)));
      assert.deepStrictEqual(processesIn(workDir), []);
    })
  );
});
