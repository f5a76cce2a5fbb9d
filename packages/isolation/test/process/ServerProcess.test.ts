// @module-tag long
/** What every server process promises, whichever way it speaks, and what is promised of the one that is kept. */
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { limited } from "../../src/process/BoundedProcess.ts";
import { type Frame, NO_BYTES, jsonOf } from "../../src/process/Frames.ts";
import { keepServer } from "../../src/process/keepServer.ts";
import {
  frames,
  jsonLines,
  type ServerOptions,
  type ServerProcess,
  startServer
} from "../../src/process/ServerProcess.ts";
import { isRunning, until } from "../until.ts";
import { descendants } from "../descendants.ts";
import type { Request } from "./speaker.ts";

const SPEAKER = fileURLToPath(new URL("./speaker.ts", import.meta.url));

const ANSWER_BYTES_MAX = 50_000;

interface Said {
  readonly said: string;
  readonly pid: number;
}

for (const [name, channel] of [
  ["frames", frames(ANSWER_BYTES_MAX)],
  ["lines", jsonLines]
] as const) {
  const start = (how = "serves", options: Partial<ServerOptions> = {}) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        startServer({
          command: limited({ program: process.execPath, args: [SPEAKER, name, how] }),
          environment: { PATH: "/usr/bin:/bin" },
          channel,
          startTimeoutMs: 60_000,
          cancelTimeoutMs: 30_000,
          ...options
        })
      ),
      ({ end }) => end
    );

  const contentOf = (frame: Frame): Said => (frame.bytes.length === 0 ? frame.header : jsonOf(frame)) as Said;

  const ask = ({ ask: send }: ServerProcess, request: Request, onProgress?: (progress: unknown) => void) =>
    Effect.map(send({ header: request, bytes: NO_BYTES }, onProgress), contentOf);

  describe(`a server process that speaks in ${name}`, () => {
    it.live("answers requests in any order, also those that were sent before it was ready", () =>
      Effect.gen(function* () {
        const server = yield* start();
        const waiting = yield* Effect.forkChild(ask(server, { say: "first", then: "waits" }));
        const said = yield* Effect.forEach(
          ["a \u0000", "b \ud800", "c \u{1f600}"],
          (say) => Effect.map(ask(server, { say }), (answer) => answer.said),
          { concurrency: "unbounded" }
        );
        assert.deepStrictEqual(said, ["a \u0000", "b \ud800", "c \u{1f600}"]);
        const ready = yield* server.ready;
        assert.deepInclude(ready.header, {
          ready: { ...(ready.header as { ready: object }).ready, channel: name }
        });
        assert.isUndefined(waiting.pollUnsafe());
      }).pipe(Effect.scoped)
    );

    it.live("has ended an interrupted request before the interruption returns, and serves on", () =>
      Effect.gen(function* () {
        const server = yield* start();
        const { pid } = yield* ask(server, {});
        const waiting = yield* Effect.forkChild(ask(server, { then: "waits" }));
        yield* Effect.yieldNow;
        yield* Fiber.interrupt(waiting);
        assert.strictEqual((yield* ask(server, {})).pid, pid);
      }).pipe(Effect.scoped)
    );

    it.live("is ended if it does not end an interrupted request in time", () =>
      Effect.gen(function* () {
        const server = yield* start("serves", { cancelTimeoutMs: 50 });
        const { pid } = yield* ask(server, {});
        const other = yield* Effect.forkChild(Effect.flip(ask(server, { then: "waits" })));
        const hanging = yield* Effect.forkChild(ask(server, { then: "ignores" }));
        yield* Effect.yieldNow;
        yield* Fiber.interrupt(hanging);
        assert.isFalse(server.alive());
        assert.isFalse(isRunning(pid));
        assert.strictEqual((yield* Fiber.join(other)).reason, "exited");
      }).pipe(Effect.scoped)
    );

    it.live("that exits fails all its requests with its exit code, and leaves no process of its group", () =>
      Effect.gen(function* () {
        const server = yield* start();
        yield* server.ready;
        const before = descendants();
        const other = yield* Effect.forkChild(Effect.flip(ask(server, { then: "waits" })));
        const failure = yield* Effect.flip(ask(server, { then: "exits" }));
        assert.deepInclude(failure, { reason: "exited", exitCode: 3 });
        assert.strictEqual((yield* Fiber.join(other)).exitCode, 3);
        assert.strictEqual((yield* Effect.flip(ask(server, {}))).reason, "exited");
        const follower = Number(/follower (\d+)/u.exec(failure.message)?.[1]);
        assert.include(before, String(follower));
        yield* until(() => !isRunning(follower));
      }).pipe(Effect.scoped)
    );

    it.live("ends with everything in its group", () =>
      Effect.gen(function* () {
        const before = descendants();
        yield* Effect.scoped(Effect.flatMap(start(), (server) => server.ready));
        yield* until(() => descendants().every((pid) => before.includes(pid)));
      })
    );

    it.live("that hangs, fails or does not exist has not started, and says why", () =>
      Effect.gen(function* () {
        const reasons = yield* Effect.forEach(
          [
            start("hangs", { startTimeoutMs: 1_000 }),
            start("fails"),
            start("", { command: ["/no/such/program"] })
          ],
          (starting) => Effect.flatMap(starting, ({ ready }) => Effect.flip(ready))
        );
        assert.deepStrictEqual(
          reasons.map(({ reason }) => reason),
          ["not_started", "not_started", "not_started"]
        );
        assert.match(reasons[1]?.message ?? "", /follower/u);
      }).pipe(Effect.scoped)
    );

    it.live.runIf(name === "lines")("reports the progress of a request before the answer", () =>
      Effect.gen(function* () {
        const server = yield* start();
        const reports: Array<unknown> = [];
        yield* ask(server, { then: "reports" }, (progress) => reports.push(progress));
        assert.deepStrictEqual(reports, [{ done: 1 }]);
      }).pipe(Effect.scoped)
    );

    it.live.runIf(name === "frames")("is ended by an answer that is larger than the maximum", () =>
      Effect.gen(function* () {
        const server = yield* start();
        const failure = yield* Effect.flip(ask(server, { say: "x", then: "answers at length" }));
        assert.strictEqual(failure.reason, "answer_too_large");
        assert.isFalse(server.alive());
      }).pipe(Effect.scoped)
    );
  });
}

describe("a server that is kept", () => {
  /** Starts what dies when told to, or fails. */
  const fakes = () => {
    const log: Array<string> = [];
    const state = { fails: false, current: { isAlive: true } };
    const start = Effect.acquireRelease(
      Effect.suspend(() => {
        log.push("start");
        if (state.fails) return Effect.fail("broken" as const);
        const mine = { isAlive: true };
        state.current = mine;
        return Effect.succeed({ alive: () => mine.isAlive });
      }),
      () => Effect.sync(() => void log.push("end"))
    );
    return { log, state, start };
  };

  it.effect("is started on demand, once for all, and again once it has died", () =>
    Effect.gen(function* () {
      const { log, start, state } = fakes();
      yield* Effect.gen(function* () {
        const server = yield* keepServer(start);
        assert.deepStrictEqual(log, []);
        yield* Effect.all([Effect.scoped(server), Effect.scoped(server)], { concurrency: "unbounded" });
        yield* Effect.scoped(server);
        assert.deepStrictEqual(log, ["start"]);
        state.current.isAlive = false;
        yield* Effect.scoped(server);
        assert.sameMembers(log, ["start", "end", "start"]);
      }).pipe(Effect.scoped);
      assert.sameMembers(log, ["start", "end", "start", "end"]);
    })
  );

  it.effect("is left alone after a failed start, for longer each time, and fails its users at once", () =>
    Effect.gen(function* () {
      const { log, start, state } = fakes();
      const server = yield* keepServer(start);
      state.fails = true;
      const startsSeconds: Array<number> = [];
      for (let second = 0; second <= 1_111; second++) {
        const starts = log.length;
        assert.strictEqual(yield* Effect.flip(Effect.scoped(server)), "broken");
        if (log.length > starts) startsSeconds.push(second);
        yield* TestClock.adjust("1 second");
      }
      assert.deepStrictEqual(startsSeconds, [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1_111]);
      state.fails = false;
      yield* TestClock.adjust("300 seconds");
      yield* Effect.scoped(server);
      state.fails = true;
      state.current.isAlive = false;
      yield* Effect.flip(Effect.scoped(server));
      yield* TestClock.adjust("1 second");
      state.fails = false;
      yield* Effect.scoped(server);
    }).pipe(Effect.scoped)
  );

  it.effect("ends after a time without use", () =>
    Effect.gen(function* () {
      const { log, start } = fakes();
      const server = yield* keepServer(start, 10_000);
      const release = yield* Deferred.make<void>();
      const use = yield* Effect.forkChild(Effect.scoped(Effect.andThen(server, Deferred.await(release))));
      yield* TestClock.adjust("1 hour");
      assert.deepStrictEqual(log, ["start"]);
      yield* Deferred.succeed(release, undefined);
      yield* Fiber.join(use);
      yield* TestClock.adjust("9 seconds");
      assert.deepStrictEqual(log, ["start"]);
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(log, ["start", "end"]);
    }).pipe(Effect.scoped)
  );
});
