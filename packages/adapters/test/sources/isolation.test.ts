// @module-tag alone: what a process hands on
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import { inRun } from "@winnow/testing/samples/samples";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { MODALITIES } from "@winnow/core/domain/source/Modality";
import { Downloader, type Fetched } from "@winnow/core/ports/Downloader";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as DownloaderLayer from "../../src/sources/DownloaderLayer.ts";
import { DEFAULT_LIMITS } from "../../src/sources/DownloadLimits.ts";
import { fixedRoutes, plainRoute } from "../../src/sources/ways/SourceRoute.ts";
import {
  contentOf,
  downloaderOf,
  isDownloading,
  openSite,
  PLUGINS,
  processesIn,
  runFolders,
  sharedPools,
  temporaryFolder,
  until
} from "./harness.ts";

const site = await openSite();
const folder = temporaryFolder();

interface Child {
  readonly limits: string;
  readonly environ: string;
}

/** Processes around a program in its sandbox: bubblewrap and its relay. */
const AROUND = /^[^\0]*\/bwrap\0|^[^\0]*\0-I\0-S\0[^\0]*\/relay\.py\0/u;

/** The children of a run according to /proc; those that end meanwhile, as small programs do, are skipped. */
const childrenIn = (workDir: string): ReadonlyArray<Child> =>
  processesIn(workDir).flatMap((pid) => {
    const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, "latin1");
    try {
      const child = { limits: read("limits"), environ: read("environ") };
      const commandLine = read("cmdline");
      return commandLine.length > 0 && !AROUND.test(commandLine) ? [child] : [];
    } catch {
      return [];
    }
  });

/** The soft limit in force, as the kernel prints it. */
const limitOf = ({ limits }: Child, name: string): string | undefined =>
  new RegExp(String.raw`^${name}\s+(\S+)`, "mu").exec(limits)?.[1];

/** What a child's environment may contain: of this process's own environment, only PATH. */
const ENVIRONMENT =
  /^(?:PATH|PWD|HOME|TMPDIR|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|LANG|PYTHON\w+|MALLOC_ARENA_MAX|YTDLP_NO_LAZY_EXTRACTORS|WINNOW_YTDLP_IMPORT_PATH|LC_CTYPE|(?:https?|all|no)_proxy|(?:HTTPS?|ALL|NO)_PROXY)=/u;

const slowFetch = Downloader.use((downloader) =>
  Effect.scoped(
    downloader.fetch({
      url: `${site.url}/slow.mp4`,
      maxDurationSeconds: 3_600,
      wantsOf: () => ["video"]
    })
  )
);

describe.skipIf(!existsSync("/proc/self/limits"))("A child of a run", () => {
  for (const forkServer of [true, false]) {
    it.live(`has limits and next to no environment, ${forkServer ? "forked" : "as a command"}`, () =>
      Effect.gen(function* () {
        process.env["WINNOW_TEST_SECRET"] = "leaked";
        const workDir = join(folder, `limits-${forkServer}`);
        mkdirSync(workDir);
        yield* Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(slowFetch);
          yield* until(() => isDownloading(workDir));
          const children = childrenIn(workDir);
          assert.isNotEmpty(children);
          for (const child of children) {
            assert.strictEqual(
              limitOf(child, "Max address space"),
              String(DEFAULT_LIMITS.downloadMemoryBytes)
            );
            assert.strictEqual(limitOf(child, "Max file size"), String(DEFAULT_LIMITS.maxDownloadBytes));
            assert.strictEqual(limitOf(child, "Max core file size"), "0");
            assert.isAtMost(Number(limitOf(child, "Max open files")), 1_024);
            assert.isAtMost(Number(limitOf(child, "Max processes")), 8_192);
            // In /proc, a forked child has the environment of the fork server; its real one has no other
            // variables.
            const variables = child.environ.split("\0").filter(Boolean);
            assert.deepStrictEqual(
              variables.filter((variable) => !ENVIRONMENT.test(variable)),
              []
            );
          }
          yield* Fiber.interrupt(fiber);
          assert.deepStrictEqual(processesIn(workDir), []);
        }).pipe(Effect.provide(downloaderOf(site, workDir, { forkServer })));
      })
    );
  }
});

const COOKIE = "canary-cookie-5f1c";
const ARGUMENT = "canary-argument-77ab";
const PASSWORD = "canary-password-c0de";

/** An upstream proxy that requires a password and connects to any address. */
const someProxy = Effect.acquireRelease(
  Effect.promise(async () => {
    const asked: Array<IncomingMessage> = [];
    const server = createServer((request, response) => {
      asked.push(request);
      response.writeHead(502).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, asked, port: (server.address() as AddressInfo).port };
  }),
  ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
);

const allOf = ({ files, facts, warnings }: Fetched): string =>
  [JSON.stringify({ facts, warnings }), ...files.map((file) => contentOf(file).toString("latin1"))].join(
    "\n"
  );

describe("The operator's secrets", () => {
  it.live("reach the source they are for, and no log, artifact, result or message", () =>
    Effect.gen(function* () {
      const workDir = join(folder, "secrets");
      const cookiesFile = join(folder, "cookies.txt");
      const line = ["127.0.0.1", "FALSE", "/", "FALSE", "0", "session", COOKIE].join("\t");
      writeFileSync(cookiesFile, `# Netscape HTTP Cookie File\n${line}\n`, { mode: 0o600 });
      const log: Array<string> = [];
      const logger = Logger.make(({ message, cause }) => void log.push(JSON.stringify([message, cause])));
      const proxy = yield* someProxy;
      const downloader = (upstreamProxy: string | undefined) =>
        DownloaderLayer.layer({
          workDir,
          routes: fixedRoutes(plainRoute(cookiesFile)),
          ytDlpArgs: ["--plugin-dirs", PLUGINS, "--user-agent", ARGUMENT]
        }).pipe(
          Layer.provide([
            GuardedEgress.layer({
              allow: [new URL(site.url).host],
              resolve: () => Promise.resolve(["93.184.215.14"]),
              ...(upstreamProxy === undefined ? {} : { upstreamProxy })
            }),
            sharedPools
          ]),
          Layer.provideMerge(Logger.layer([logger])),
          inRun
        );
      const results = yield* Effect.gen(function* () {
        const { fetch, inspect } = yield* Downloader;
        const found: Array<string> = [];
        for (const path of ["/watch/talk", "/fx/video", "/carousel", "/article", "/status/404"]) {
          const fetched = fetch({
            url: site.url + path,
            maxDurationSeconds: 3_600,
            wantsOf: () => MODALITIES
          }).pipe(
            Effect.updateService(CurrentRun, (run) => ({
              ...run,
              report: (progress) => Effect.sync(() => void found.push(JSON.stringify(progress)))
            })),
            Effect.map(allOf),
            Effect.scoped
          );
          found.push(
            yield* Effect.match(fetched, { onFailure: JSON.stringify, onSuccess: String }),
            JSON.stringify(yield* Effect.result(inspect(`${site.url}${path}?again`, {})))
          );
        }
        return found;
      }).pipe(Effect.provide(downloader(undefined)));
      assert.isTrue(site.secrets.has(`session=${COOKIE}`), "yt-dlp never sent the cookie");
      assert.isTrue(site.secrets.has(ARGUMENT), "yt-dlp never used the option");
      const failures = yield* Effect.gen(function* () {
        const { inspect } = yield* Downloader;
        return [yield* Effect.flip(inspect("http://public.example.org/video", {}))].map((each) =>
          JSON.stringify([each.message, each])
        );
      }).pipe(Effect.provide(downloader(`http://user:${PASSWORD}@127.0.0.1:${proxy.port}`)));
      assert.isNotEmpty(proxy.asked, "the proxy was never used");
      for (const text of [...results, ...failures, ...log]) {
        for (const secret of [COOKIE, ARGUMENT, PASSWORD]) assert.notInclude(text, secret);
      }
      assert.deepStrictEqual(runFolders(workDir), []);
    }).pipe(Effect.scoped)
  );
});
