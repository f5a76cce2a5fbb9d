// @module-tag long: its own servers, stopped and started again on one data folder
/**
 * The real program: its first start, its stop, and starts that must fail.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as EmbeddedPostgres from "@winnow/adapters/database/embedded/EmbeddedPostgres";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { vi } from "vitest";
import { makeCall } from "./ApiCall.ts";
import { slowClock } from "./NodeOptions.ts";
import {
  assertGone,
  failedStart,
  NO_MEDIA,
  firstKey,
  processesAbout,
  serverProcess,
  type ServerProcess
} from "./ServerProcess.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";
import { winnow } from "./WinnowProgram.ts";

const busyPort = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Server>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
        })
    ),
    (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
  ),
  (server) => (server.address() as { port: number }).port
);

const extractions = (server: ServerProcess, key: string) => makeCall(server.url)("/v1/extractions", { key });

/** Identical signals that are pending are merged, so the second one is sent later. */
const PASSED_ON_AFTER_MS = 20;

/** Runs the command in a pseudo-terminal. */
const ON_A_TERMINAL = ["python3", "-c", "import pty, sys; pty.spawn(sys.argv[1:])"];

const THREAD_POOL_SIZE = 64;

/** A dozen program starts. */
const STARTS_MS = 360_000;

/** Two starts, with actions between them. */
vi.setConfig({ testTimeout: 240_000 });

describe("a server", () => {
  it.live("leaves the first account's key in a private file, reveals no secret, and exits with 0", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("serve");
      const env = { ...NO_MEDIA, WINNOW_DATA_DIR: folder, WINNOW_PORT: "0", WINNOW_LOG_LEVEL: "debug" };
      const first = yield* serverProcess(env);
      const key = firstKey(folder);
      assert.include(first.stdout, join(folder, "first-api-key"));
      assert.notInclude(first.stdout, key);
      assert.notInclude(first.stdout, "/sign-in?token=");
      const token = readFileSync(join(folder, "admin-token"), "utf8").trim();
      for (const name of ["admin-token", "server.json", "first-account.json", "first-api-key"]) {
        assert.strictEqual(statSync(join(folder, name)).mode & 0o777, 0o600, name);
      }
      assert.deepStrictEqual((yield* extractions(first, key)).json.data, []);
      const server = processesAbout(folder).find((line) => line.includes("winnow.mjs")) ?? "";
      // Each pending DNS look-up occupies a thread, and look-ups may occupy at most half of the pool.
      assert.isAbove(readdirSync(`/proc/${server.split(" ")[0]}/task`).length, THREAD_POOL_SIZE);
      assert.strictEqual(yield* Effect.promise(() => first.kill("SIGTERM")), 0);
      // Global flags may precede the command. By its slow clock, the two signals below are simultaneous.
      const second = yield* serverProcess({ ...env, ...slowClock() }, ["--log-level", "debug", "serve"]);
      assert.notInclude(second.stdout, "wnw_");
      assert.strictEqual(readFileSync(join(folder, "admin-token"), "utf8").trim(), token);
      assert.deepStrictEqual((yield* extractions(second, key)).json.data, []);
      // Ctrl+C in a terminal signals npm and the program, and npm forwards its signal to the program.
      const pressed = Effect.promise(() => second.kill("SIGINT"));
      const passedOn = Effect.delay(pressed, PASSED_ON_AFTER_MS);
      assert.deepStrictEqual(yield* Effect.zip(pressed, passedOn, { concurrent: true }), [0, 0]);
      const logs = first.stderr() + second.stderr();
      for (const secret of [key, token]) assert.notInclude(logs, secret);
      for (const line of logs.trim().split("\n")) assert.isObject(JSON.parse(line), line);
      yield* assertGone(folder);
    }).pipe(Effect.scoped)
  );

  it.live("shows the first account's key on a terminal, and stores it nowhere", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("serve");
      const env = { ...NO_MEDIA, WINNOW_DATA_DIR: folder, WINNOW_PORT: "0" };
      const server = yield* serverProcess(env, ["serve"], ON_A_TERMINAL);
      const key = /API key \(shown only once\): (wnw_\w+)/u.exec(server.stdout)?.[1] ?? "";
      assert.deepStrictEqual((yield* extractions(server, key)).json.data, []);
      assert.isFalse(existsSync(join(folder, "first-api-key")));
      const program = JSON.parse(readFileSync(join(folder, "server.json"), "utf8")) as {
        readonly pid: number;
      };
      process.kill(program.pid, "SIGTERM");
      yield* assertGone(folder);
    }).pipe(Effect.scoped)
  );

  it.live(
    "that cannot start says why in one sentence, without secrets, and exits with 1",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder("serve");
        const port = yield* busyPort;
        const own = yield* EmbeddedPostgres.start({ dataDir: yield* temporaryFolder("serve-db") });
        const database = (name: string, password?: string): string => {
          const url = new URL(Redacted.value(own.url));
          url.pathname = `/${name}`;
          if (password !== undefined) url.password = password;
          return url.href;
        };
        const cases = [
          [{ WINNOW_DATA_DIR: "/dev/null/x" }, "WINNOW_DATA_DIR"],
          [{ WINNOW_DATA_DIR: "/proc/x" }, "WINNOW_DATA_DIR"],
          [{ WINNOW_DATABASE_URL: "mysql://u:hunter2@127.0.0.1:9/x" }, "WINNOW_DATABASE_URL"],
          [{ WINNOW_DATABASE_URL: database("nothere") }, "The server has no database of this name."],
          [
            { WINNOW_DATABASE_URL: database("postgres", "hunter2") },
            "rejected the user name or password. Check both."
          ],
          [{ WINNOW_ROLE: "api" }, "Set it to a PostgreSQL server that all processes use"],
          [{ WINNOW_ROLE: "worker" }, "WINNOW_DATABASE_URL must be set"],
          [{ WINNOW_YTDLP: "/no/yt-dlp" }, "WINNOW_YTDLP"],
          [{ WINNOW_COOKIES_FILE: "/no/cookies" }, "WINNOW_COOKIES_FILE"],
          [{ WINNOW_COOKIES_FILE: folder }, "WINNOW_COOKIES_FILE"],
          [{ WINNOW_COOKIES_FILE: "/etc/passwd" }, "WINNOW_COOKIES_FILE"],
          [{ WINNOW_FFMPEG: "/etc/passwd" }, "WINNOW_FFMPEG"],
          [{ WINNOW_GALLERY_DL: "/no/gallery-dl" }, "WINNOW_GALLERY_DL"],
          [{ WINNOW_ARTIFACTS_URL: "file:/dev/null/x" }, "WINNOW_ARTIFACTS_URL"],
          [{ WINNOW_ARTIFACTS_URL: "file:/proc/x" }, "WINNOW_ARTIFACTS_URL"],
          [{ WINNOW_HOST: "256.1.1.1" }, "WINNOW_HOST"],
          [{ WINNOW_EGRESS_ALLOW: "10.0.0.0/99" }, "WINNOW_EGRESS_ALLOW"],
          [{ WINNOW_YTDLP_ARGS: "--exec id" }, "WINNOW_YTDLP_ARGS"],
          [{ WINNOW_PORT: String(port) }, "WINNOW_PORT"]
        ] as const;
        // The last one as a process, the others by its entry.
        for (const [env, name] of cases) {
          const base = { WINNOW_DATA_DIR: folder, WINNOW_PORT: "0", WINNOW_LOG_LEVEL: "error" };
          const start = name === "WINNOW_PORT" ? failedStart : (all: typeof base) => winnow(["serve"], all);
          const { code, stdout, stderr } = yield* start({ ...base, ...env });
          assert.strictEqual(code, 1, `${name}: ${stderr}`);
          assert.include(stderr, name);
          assert.notInclude(stderr, "hunter2");
          assert.notInclude(stderr, "node:internal");
          assert.notInclude(stdout, "listening");
        }
        yield* assertGone(folder);
      }).pipe(Effect.scoped),
    STARTS_MS
  );
});
