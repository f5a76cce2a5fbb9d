import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { intBetween, oneOf } from "@winnow/core/test/domain/Arbitraries";
import {
  FIRST_PAUSE_MS,
  PAUSE_MAX_MS,
  REFUSAL_MEMORY_MS,
  REFUSALS_TO_REST,
  TRIAL_MAX_MS
} from "../../../src/sources/ways/Standing.ts";
import { plainRoute } from "../../../src/sources/ways/SourceRoute.ts";
import { makeWayMemory, type RouteOutcome, type Way } from "../../../src/sources/ways/WayMemory.ts";

const SITE = "https://video.example/watch/";
const ELSEWHERE = "https://other.example/";
const RATE_LIMITED: RouteOutcome = { _tag: "Refused", reason: "rate_limited" };
const ANSWERED: RouteOutcome = { _tag: "Answered" };

const PROGRAM = { version: null, ytDlp: "yt-dlp" };

const wayBy = (name: string): Way => ({ route: { ...plainRoute(), name }, program: PROGRAM });

const ONLY = wayBy("only");
const SPARE = wayBy("spare");

const openMemory = () => {
  const memory = makeWayMemory();
  const settle = (url: string, ...outcomes: ReadonlyArray<readonly [Way, RouteOutcome]>) =>
    memory.settle(
      url,
      outcomes.map(([way, ofRoute]) => ({ way, ofRoute, ofVersion: "undecided" as const }))
    );
  const refuse = (urls: number) =>
    Effect.forEach(Array.from({ length: urls }), (_, at) => settle(`${SITE}${at}`, [ONLY, RATE_LIMITED]));
  const serves = (way: Way, url = SITE) => memory.canServe([way], url);
  const pauseMs = (nowMs: number) => (memory.restsOf(ONLY.route.name, nowMs)[0]?.untilMs ?? nowMs) - nowMs;
  return { ...memory, pauseMs, refuse, serves, settle };
};

describe("the only route of a host", () => {
  it.effect("rests after five refused URLs, not after one that is refused again and again", () =>
    Effect.gen(function* () {
      const { refuse, serves, settle } = openMemory();
      for (let time = 0; time < 20; time++) yield* settle(SITE, [ONLY, RATE_LIMITED]);
      yield* refuse(REFUSALS_TO_REST - 2);
      assert.isTrue(yield* serves(ONLY));
      yield* refuse(REFUSALS_TO_REST);
      assert.isFalse(yield* serves(ONLY));
      assert.isTrue(yield* serves(ONLY, ELSEWHERE));
    })
  );

  it.effect("forgets old refusals", () =>
    Effect.gen(function* () {
      const { refuse, serves, settle } = openMemory();
      yield* refuse(REFUSALS_TO_REST - 1);
      yield* TestClock.adjust(REFUSAL_MEMORY_MS + 1);
      yield* settle(SITE, [ONLY, RATE_LIMITED]);
      yield* refuse(REFUSALS_TO_REST - 2);
      assert.isTrue(yield* serves(ONLY));
    })
  );

  it.effect("comes back by one run after its pause; the others wait for its result", () =>
    Effect.gen(function* () {
      const { refuse, serves, settle, take } = openMemory();
      yield* refuse(REFUSALS_TO_REST);
      yield* TestClock.adjust(FIRST_PAUSE_MS);
      assert.strictEqual(yield* take([ONLY], SITE), ONLY);
      const waiting = yield* Effect.forkChild(take([ONLY], SITE), { startImmediately: true });
      assert.isFalse(yield* serves(ONLY));
      yield* settle(SITE, [ONLY, { _tag: "Undecided" }]);
      yield* TestClock.adjust("1 second");
      assert.strictEqual(yield* Fiber.join(waiting), ONLY);
      yield* TestClock.adjust(TRIAL_MAX_MS);
      assert.isTrue(yield* serves(ONLY), "the trial was lost");
    })
  );

  it.effect("pauses twice as long each time, up to half an hour; runs under way do not extend it", () =>
    Effect.gen(function* () {
      const { pauseMs, refuse, settle, take } = openMemory();
      yield* refuse(REFUSALS_TO_REST);
      let nowMs = 0;
      for (let pause = 0; pause < 8; pause++) {
        const restsMs = pauseMs(nowMs);
        assert.strictEqual(restsMs, Math.min(FIRST_PAUSE_MS * 2 ** pause, PAUSE_MAX_MS));
        yield* settle(`${SITE}late`, [ONLY, RATE_LIMITED]);
        assert.strictEqual(pauseMs(nowMs), restsMs);
        yield* TestClock.adjust(restsMs);
        nowMs += restsMs;
        yield* take([ONLY], SITE);
        yield* settle(SITE, [ONLY, RATE_LIMITED]);
      }
    })
  );

  it.effect(
    "never rests because a page is forbidden, or its proxy is away: there is nothing else to try",
    () =>
      Effect.gen(function* () {
        const { serves, settle } = openMemory();
        for (const _tag of ["Forbidden", "Broken", "Unreached"] as const) {
          for (let at = 0; at < 20; at++) yield* settle(`${SITE}${at}`, [ONLY, { _tag }]);
          assert.isTrue(yield* serves(ONLY));
        }
      })
  );
});

describe("one of several routes", () => {
  it.effect.each([
    RATE_LIMITED,
    { _tag: "Forbidden" },
    { _tag: "Broken" },
    { _tag: "Unreached" }
  ] satisfies ReadonlyArray<RouteOutcome>)(
    "rests at once after %j, if another one is answered for that URL",
    (outcome) =>
      Effect.gen(function* () {
        const { serves, settle } = openMemory();
        yield* settle(SITE, [ONLY, outcome], [SPARE, ANSWERED]);
        assert.isFalse(yield* serves(ONLY));
        assert.isTrue(yield* serves(SPARE));
        // At other hosts only what is the proxy's own counts.
        assert.strictEqual(yield* serves(ONLY, ELSEWHERE), outcome._tag !== "Broken");
        yield* TestClock.adjust(FIRST_PAUSE_MS);
        assert.isTrue(yield* serves(ONLY));
      })
  );
});

/** What happens to the routes of one host: runs that end now, with their outcomes by the route that serves them. */
const Steps = Arbitrary.array(
  Arbitrary.all({
    waitMs: intBetween(0, 90_000),
    outcomes: Arbitrary.array(
      oneOf<RouteOutcome>([
        ANSWERED,
        RATE_LIMITED,
        { _tag: "Refused", reason: "bot_blocked" },
        { _tag: "Forbidden" },
        { _tag: "Broken" },
        { _tag: "Unreached" },
        { _tag: "Undecided" }
      ]),
      { minLength: 3, maxLength: 3 }
    )
  }),
  { maxLength: 40 }
);

describe("whatever happens to the routes of a host", () => {
  it.effect.prop(
    "the first that can serve is taken, no pause is longer than half an hour, and every route comes back",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function* () {
        const { canServe, restsOf, serves, settle, take } = openMemory();
        const ways = ["one", "two", "three"].map(wayBy);
        let nowMs = yield* Effect.clockWith((clock) => clock.currentTimeMillis);
        for (const [at, { outcomes, waitMs }] of steps.entries()) {
          yield* TestClock.adjust(waitMs);
          nowMs += waitMs;
          const ended: Array<readonly [Way, RouteOutcome]> = [];
          const left = () => ways.filter((way) => ended.every(([used]) => used !== way));
          while (yield* canServe(left(), SITE)) {
            const [first] = yield* Effect.filter(left(), (way) => serves(way));
            const way = yield* take(left(), SITE);
            assert.strictEqual(way, first);
            const outcome = outcomes[ways.indexOf(way)] ?? ANSWERED;
            ended.push([way, outcome]);
            if (outcome._tag === "Answered" || outcome._tag === "Undecided") break;
          }
          yield* settle(`${SITE}${at}`, ...ended);
          for (const { route } of ways) {
            for (const { untilMs } of restsOf(route.name, nowMs))
              assert.isAtMost(untilMs - nowMs, PAUSE_MAX_MS);
          }
        }
        yield* TestClock.adjust(PAUSE_MAX_MS + TRIAL_MAX_MS);
        for (const way of ways) {
          assert.strictEqual(yield* take([way], SITE), way);
          yield* settle(SITE, [way, ANSWERED]);
          assert.isEmpty(restsOf(way.route.name, 0));
        }
      })
  );
});
