import { assert, describe, it } from "@effect/vitest";
import type { RunEvent } from "@winnow/core/domain/run/RunProgress";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Stream from "effect/Stream";
import * as TestClock from "effect/testing/TestClock";
import { eventFrames, HEARTBEAT_INTERVAL_MS } from "../../../src/routes/extractions/EventsHttp.ts";

const event = (changes: Partial<RunEvent> = {}): RunEvent => ({
  attempt: 1,
  phase: "processing",
  step: "fetching",
  percent: 12.5,
  bytes: 7,
  rung: null,
  ...changes
});

const done = event({ phase: "done", step: null, percent: null });

describe("event frames", () => {
  it.effect("tell how much of a recording is transcribed", () =>
    Effect.gen(function* () {
      const said = { step: "transcribing", percent: 25, doneSec: 825, totalSec: 3_300 } as const;
      const text = yield* Stream.mkString(eventFrames(Stream.make(event(said)), Effect.succeed(null)));
      assert.include(
        text,
        'data: {"phase":"processing","step":"transcribing","percent":25,"bytes":7,"rung":null,"doneSec":825,"totalSec":3300}'
      );
    })
  );

  it.effect("are a retry hint, each progress, the final result, and the end", () =>
    Effect.gen(function* () {
      const rung = ["transcript", "audio"] as const;
      const events = Stream.make(event(), event({ step: "analysing", rung }), done);
      const text = yield* Stream.mkString(eventFrames(events, Effect.succeed({ status: "complete" })));
      assert.strictEqual(
        text,
        "retry: 2000\n\n" +
          'event: progress\ndata: {"phase":"processing","step":"fetching","percent":12.5,"bytes":7,"rung":null}\n\n' +
          'event: progress\ndata: {"phase":"processing","step":"analysing","percent":12.5,"bytes":7,"rung":["transcript","audio"]}\n\n' +
          'event: result\ndata: {"status":"complete"}\n\n'
      );
    })
  );

  it.effect("end without a result if it was deleted", () =>
    Effect.gen(function* () {
      const text = yield* Stream.mkString(eventFrames(Stream.make(done), Effect.succeed(null)));
      assert.strictEqual(text, "retry: 2000\n\n");
    })
  );

  it.effect("keep an idle stream alive with a comment every 15 seconds", () =>
    Effect.gen(function* () {
      const seen: Array<string> = [];
      const frames = eventFrames(Stream.concat(Stream.make(event()), Stream.never), Effect.succeed(null));
      const reader = yield* Effect.forkChild(
        Stream.runForEach(frames, (text) => Effect.sync(() => seen.push(text)))
      );
      yield* TestClock.adjust(HEARTBEAT_INTERVAL_MS - 1);
      assert.lengthOf(seen, 2);
      yield* TestClock.adjust(1);
      yield* TestClock.adjust(HEARTBEAT_INTERVAL_MS);
      assert.deepStrictEqual(seen.slice(2), [": \n\n", ": \n\n"]);
      yield* Fiber.interrupt(reader);
    })
  );
});
