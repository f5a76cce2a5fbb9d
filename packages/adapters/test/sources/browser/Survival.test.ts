// @module-tag faults: kills the browser, and the process that has it
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { makeWorkDir } from "@winnow/isolation/process/RunFolder";
import { PageRenderer } from "../../../src/sources/browser/PageRenderer.ts";
import { runFolders, until } from "../harness.ts";
import { routes, serve } from "@winnow/isolation/test/network/LoopbackServer";
import { browser, CHROMIUM, environmentOf, hostsOf, processesOf, SKIPPED, workFolder } from "./Browsing.ts";

const folder = CHROMIUM === null ? "" : workFolder();
const VICTIM = fileURLToPath(new URL("./victim.ts", import.meta.url));

const newFolder = (name: string): string => {
  const workDir = join(folder, name);
  mkdirSync(workDir);
  return workDir;
};

const site = serve(
  routes({
    "/": (_request, response) => response.setHeader("content-type", "text/html").end("<p>text</p>"),
    "/busy": (_request, response) =>
      response
        .setHeader("content-type", "text/html")
        .end("<p id=p>text</p><script>fetch('/asked'); setTimeout(() => { for (;;); }, 300)</script>"),
    "/asked": (_request, response) => response.end("")
  })
);

const killAll = (pids: ReadonlyArray<number>): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended together with a process that was killed before it.
    }
  }
};

const asked = (requests: ReadonlyArray<{ readonly url?: string | undefined }>): boolean =>
  requests.some(({ url }) => url === "/asked");

// The tests read /proc.
describe.skipIf(CHROMIUM === null || !existsSync("/proc"))(`processes of the browser${SKIPPED}`, () => {
  it.live("start with the first page, see nothing of the server, and end when idle", () =>
    Effect.gen(function* () {
      const workDir = newFolder("idle");
      const { authority, url } = yield* site;
      process.env["NO_PROXY"] = "*";
      process.env["WINNOW_TEST_SECRET"] = "canary";
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          delete process.env["NO_PROXY"];
          delete process.env["WINNOW_TEST_SECRET"];
        })
      );
      yield* Effect.gen(function* () {
        const renderer = yield* PageRenderer;
        assert.deepStrictEqual(processesOf(workDir), []);
        yield* renderer.render(url);
        const pids = processesOf(workDir);
        assert.isAtLeast(pids.length, 3);
        const names = new Set(pids.flatMap(environmentOf).map((entry) => entry.split("=")[0] ?? ""));
        for (const name of ["NO_PROXY", "WINNOW_TEST_SECRET", "HTTP_PROXY", "http_proxy", "NODE_OPTIONS"]) {
          assert.notInclude([...names], name);
        }
        yield* until(() => processesOf(workDir).length === 0 && runFolders(workDir).length === 0);
        // The processes start again.
        yield* renderer.render(url);
      }).pipe(Effect.provide(browser({ workDir, idleMs: 300, allow: [authority] })));
      assert.deepStrictEqual(processesOf(workDir), []);
      assert.deepStrictEqual(runFolders(workDir), []);
    })
  );

  it.live("stay for others when a rendering is cancelled, and all end with the layer", () =>
    Effect.gen(function* () {
      const workDir = newFolder("cancelled");
      const { authority, requests, url } = yield* site;
      yield* Effect.gen(function* () {
        const renderer = yield* PageRenderer;
        yield* renderer.render(url);
        const before = hostsOf(workDir);
        assert.lengthOf(before, 1);
        const fiber = yield* Effect.forkChild(renderer.render(`${url}/busy`));
        yield* until(() => asked(requests));
        yield* Fiber.interrupt(fiber);
        yield* renderer.render(url);
        assert.deepStrictEqual(hostsOf(workDir), before);
        const last = yield* Effect.forkChild(renderer.render(`${url}/busy`));
        yield* until(() => requests.filter((request) => request.url === "/asked").length === 2);
        yield* Fiber.interrupt(last);
      }).pipe(Effect.provide(browser({ workDir, allow: [authority] })));
      assert.deepStrictEqual(processesOf(workDir), []);
      assert.deepStrictEqual(runFolders(workDir), []);
    })
  );

  it.live("that are killed fail their page, and the next one has new ones", () =>
    Effect.gen(function* () {
      const workDir = newFolder("crash");
      const { authority, requests, url } = yield* site;
      yield* Effect.gen(function* () {
        const renderer = yield* PageRenderer;
        yield* renderer.render(url);
        killAll(processesOf(workDir));
        // The first attempt may begin before the end of the processes is noticed here.
        yield* Effect.retry(renderer.render(url), { times: 1 });
        const fiber = yield* Effect.forkChild(Effect.flip(renderer.render(`${url}/busy`)));
        yield* until(() => asked(requests));
        killAll(processesOf(workDir));
        assert.strictEqual((yield* Fiber.join(fiber)).reason, "crashed");
        yield* renderer.render(url);
      }).pipe(Effect.provide(browser({ workDir, allow: [authority] })));
      assert.deepStrictEqual(processesOf(workDir), []);
    })
  );

  it.live("do not outlive a server that is killed, and the next start cleans up after it", () =>
    Effect.gen(function* () {
      const workDir = newFolder("killed");
      const { requests, url } = yield* site;
      const victim = spawn(process.execPath, [VICTIM, `${url}/busy`, workDir], { stdio: "inherit" });
      yield* Effect.addFinalizer(() => Effect.sync(() => victim.kill("SIGKILL")));
      yield* until(() => asked(requests));
      assert.isAtLeast(processesOf(workDir).filter((pid) => pid !== victim.pid).length, 3);
      const ended = once(victim, "exit");
      victim.kill("SIGKILL");
      // The kernel gives its locks back before that.
      yield* Effect.promise(() => ended);
      yield* until(() => processesOf(workDir).length === 0);
      assert.isNotEmpty(runFolders(workDir));
      yield* makeWorkDir(workDir);
      assert.deepStrictEqual(runFolders(workDir), []);
    })
  );

  it.live("are absent without the program", () =>
    Effect.gen(function* () {
      const workDir = newFolder("none");
      const { authority, url } = yield* site;
      const failure = yield* PageRenderer.use((renderer) => Effect.flip(renderer.render(url))).pipe(
        Effect.provide(browser({ workDir, program: "/bin/false", allow: [authority] }))
      );
      assert.strictEqual(failure.reason, "unavailable");
      assert.deepStrictEqual(processesOf(workDir), []);
    })
  );
});
