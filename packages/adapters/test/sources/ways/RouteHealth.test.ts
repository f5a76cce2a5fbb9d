import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import {
  after,
  canServe,
  choose,
  HEALTHY,
  type RouteOutcome,
  type RouteHealth
} from "../../../src/sources/ways/RouteHealth.ts";
import {
  FIRST_PAUSE_MS,
  PAUSE_MAX_MS,
  pauseBegun,
  REFUSAL_MEMORY_MS,
  REFUSALS_TO_REST,
  TRIAL_MAX_MS
} from "../../../src/sources/ways/Standing.ts";
import { intBetween, oneOf } from "@winnow/core/test/domain/Arbitraries";

const SITE = "https://video.example/watch/";
const RATE_LIMITED: RouteOutcome = { _tag: "Refused", reason: "rate_limited" };
const ANSWERED: RouteOutcome = { _tag: "Answered" };

const refusedAt = (health: RouteHealth, url: string, nowMs: number, answeredElsewhere = false) =>
  after(health, { url, outcome: RATE_LIMITED, answeredElsewhere }, nowMs);

const refusedTimes = (urls: number, nowMs = 0): RouteHealth => {
  let health = HEALTHY;
  for (let at = 0; at < urls; at++) health = refusedAt(health, `${SITE}${at}`, nowMs);
  return health;
};

const chosen = (health: RouteHealth, nowMs: number): RouteHealth => {
  const choice = choose([health], nowMs);
  return choice._tag === "Chosen" ? choice.health : assert.fail("it rests");
};

describe("the only route of a host", () => {
  it("rests after five refused URLs, not after one that is refused again and again", () => {
    assert.isTrue(canServe(refusedTimes(REFUSALS_TO_REST - 1), 0));
    assert.isFalse(canServe(refusedTimes(REFUSALS_TO_REST), 0));
    let one = HEALTHY;
    for (let at = 0; at < 20; at++) one = refusedAt(one, SITE, at);
    assert.isTrue(canServe(one, 20));
  });

  it("forgets old refusals", () => {
    const health = refusedAt(refusedTimes(REFUSALS_TO_REST - 1), "x", REFUSAL_MEMORY_MS + 1);
    assert.deepStrictEqual(health.atHost.urls, ["x"]);
  });

  it("comes back by one run after its pause; the others wait for its result", () => {
    const resting = refusedTimes(REFUSALS_TO_REST);
    assert.deepStrictEqual(choose([resting], 1_000), {
      _tag: "Resting",
      reason: "rate_limited",
      remainingMs: FIRST_PAUSE_MS - 1_000,
      trial: false
    });
    const trial = chosen(resting, FIRST_PAUSE_MS);
    assert.isFalse(canServe(trial, FIRST_PAUSE_MS));
    assert.isTrue(canServe(trial, FIRST_PAUSE_MS + TRIAL_MAX_MS), "the trial was lost");
    const nothing = { url: SITE, outcome: { _tag: "Undecided" }, answeredElsewhere: false } as const;
    assert.isTrue(canServe(after(trial, nothing, FIRST_PAUSE_MS + 1), FIRST_PAUSE_MS + 1));
  });

  it("pauses twice as long each time, up to half an hour", () => {
    let health = refusedTimes(REFUSALS_TO_REST);
    for (let pause = 1; pause < 8; pause++) {
      const nowMs = health.atHost.rest?.untilMs ?? assert.fail("it serves");
      const next = refusedAt(chosen(health, nowMs), SITE, nowMs);
      const pauseMs = pauseBegun(health.atHost, next.atHost);
      assert.strictEqual(pauseMs, Math.min(FIRST_PAUSE_MS * 2 ** pause, PAUSE_MAX_MS));
      health = next;
    }
  });

  it("is not kept from serving any longer by runs that were under way", () => {
    const resting = refusedTimes(REFUSALS_TO_REST);
    assert.deepStrictEqual(refusedAt(resting, "late", 500), resting);
  });

  it("never rests because a page is forbidden, or its proxy is away: there is nothing else to try", () => {
    for (const _tag of ["Forbidden", "Broken", "Unreached"] as const) {
      let health = HEALTHY;
      for (let at = 0; at < 20; at++) {
        health = after(health, { url: `${SITE}${at}`, outcome: { _tag }, answeredElsewhere: false }, at);
      }
      assert.isTrue(canServe(health, 20));
    }
  });
});

describe("one of several routes", () => {
  it.each([
    RATE_LIMITED,
    { _tag: "Forbidden" },
    { _tag: "Broken" },
    { _tag: "Unreached" }
  ] satisfies ReadonlyArray<RouteOutcome>)(
    "rests at once after %j, if another one is answered for that URL",
    (outcome) => {
      const health = after(HEALTHY, { url: SITE, outcome, answeredElsewhere: true }, 0);
      assert.isFalse(canServe(health, FIRST_PAUSE_MS - 1));
      assert.isTrue(canServe(health, FIRST_PAUSE_MS));
      // At other hosts only what is the proxy's own counts.
      assert.strictEqual(
        canServe({ atHost: HEALTHY.atHost, proxy: health.proxy }, 0),
        outcome._tag !== "Broken"
      );
    }
  );
});

/** What happens to the routes of one host, one step after the other. */
interface Step {
  readonly waitMs: number;
  /** The outcome of the runs that end now, by the route that serves them. */
  readonly outcomes: ReadonlyArray<RouteOutcome>;
}

const ROUTES = 3;

const Outcomes = oneOf<RouteOutcome>([
  ANSWERED,
  RATE_LIMITED,
  { _tag: "Refused", reason: "bot_blocked" },
  { _tag: "Forbidden" },
  { _tag: "Broken" },
  { _tag: "Unreached" },
  { _tag: "Undecided" }
]);

const Steps: Arbitrary.Arbitrary<ReadonlyArray<Step>> = Arbitrary.array(
  Arbitrary.all({
    waitMs: intBetween(0, 90_000),
    outcomes: Arbitrary.array(Outcomes, { minLength: ROUTES, maxLength: ROUTES })
  }),
  { maxLength: 40 }
);

interface Line {
  readonly nowMs: number;
  readonly before: ReadonlyArray<RouteHealth>;
  readonly used: number | null;
}

/** Runs as the edge does: the first that can serve, then, if it is refused, the next ones. */
const replay = (steps: ReadonlyArray<Step>) => {
  let routes: ReadonlyArray<RouteHealth> = Array.from({ length: ROUTES }, () => HEALTHY);
  let nowMs = 0;
  const lines: Array<Line> = [];
  for (const [at, { outcomes, waitMs }] of steps.entries()) {
    nowMs += waitMs;
    const ended: Array<readonly [index: number, outcome: RouteOutcome]> = [];
    for (;;) {
      const open = routes.map((_, index) => index).filter((index) => ended.every(([used]) => used !== index));
      const choice = choose(
        open.map((index) => routes[index] ?? HEALTHY),
        nowMs
      );
      const used = choice._tag === "Chosen" ? (open[choice.index] ?? null) : null;
      lines.push({
        nowMs,
        before: open.map((index) => routes[index] ?? HEALTHY),
        used: choice._tag === "Chosen" ? choice.index : null
      });
      if (used === null || choice._tag !== "Chosen") break;
      routes = routes.map((health, index) => (index === used ? choice.health : health));
      const outcome = outcomes[used] ?? ANSWERED;
      ended.push([used, outcome]);
      if (outcome._tag === "Answered" || outcome._tag === "Undecided" || ended.length === ROUTES) break;
    }
    const answered = ended.some(([, { _tag }]) => _tag === "Answered");
    for (const [used, outcome] of ended) {
      const result = { url: `${SITE}${at}`, outcome, answeredElsewhere: answered && outcome !== ANSWERED };
      routes = routes.map((health, index) => (index === used ? after(health, result, nowMs) : health));
    }
  }
  return { routes, nowMs, lines };
};

describe("whatever happens to the routes of a host", () => {
  it.prop(
    "a route that rests is never chosen, and the first that can serve is",
    { steps: Steps },
    ({ steps }) => {
      for (const { before, nowMs, used } of replay(steps).lines) {
        const first = before.findIndex((health) => canServe(health, nowMs));
        assert.strictEqual(used, first === -1 ? null : first);
      }
    }
  );

  it.prop("every route comes back", { steps: Steps }, ({ steps }) => {
    const { nowMs, routes } = replay(steps);
    const laterMs = nowMs + PAUSE_MAX_MS + TRIAL_MAX_MS;
    for (const health of routes) {
      const trial = chosen(health, laterMs);
      assert.deepStrictEqual(
        after(trial, { url: SITE, outcome: ANSWERED, answeredElsewhere: false }, laterMs),
        HEALTHY
      );
    }
    assert.deepInclude(choose(routes, laterMs), { _tag: "Chosen", index: 0 });
  });

  it.prop("no pause is longer than half an hour", { steps: Steps }, ({ steps }) => {
    const { nowMs, routes } = replay(steps);
    const choice = choose(routes, nowMs);
    if (choice._tag === "Resting") assert.isAtMost(choice.remainingMs, PAUSE_MAX_MS);
  });
});
