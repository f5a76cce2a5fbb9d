import { assert, describe, it } from "@effect/vitest";
import type { Failed } from "@winnow/core/domain/source/Failed";
import { FIRST_PAUSE_MS, REFUSALS_TO_REST } from "../../../src/sources/ways/Standing.ts";
import { plainRoute, type SourceRoute } from "../../../src/sources/ways/SourceRoute.ts";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Logger from "effect/Logger";
import * as TestClock from "effect/testing/TestClock";
import { Egress } from "@winnow/isolation/network/index";
import { failed } from "../../../src/sources/failures/classify.ts";
import { makeWays, type Ways as AnyWays } from "../../../src/sources/ways/Ways.ts";
import { makeRunningVersions } from "../../../src/sources/yt-dlp/versions/RunningVersions.ts";
import { warnOfRoutes } from "../../../src/sources/ways/routeProblems.ts";
import { WAIT_MAX_MS } from "../../../src/sources/ways/WayMemory.ts";
import { quietEgress } from "@winnow/isolation/test/network/QuietEgress";

const unasked = () => Effect.die("nobody asks yt-dlp");

const NO_YT_DLP = { inspect: unasked, comments: unasked, download: unasked, ready: Effect.void };

type Ways = AnyWays<unknown>;

const SITE = "https://video.example/watch/";

const withRoutes = <A, E>(
  routes: ReadonlyArray<SourceRoute>,
  use: (routes: Ways, table: Array<SourceRoute>) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const table = [...routes];
    const versions = yield* makeRunningVersions({
      dataDir: null,
      onPath: null,
      first: { version: null, ytDlp: "yt-dlp" },
      make: () => Effect.succeed(NO_YT_DLP)
    });
    return yield* use(makeWays({ current: () => table }, { egress: yield* Egress, versions }), table);
  }).pipe(Effect.scoped, Effect.provide(quietEgress()));

const withPlainRoute = <A, E>(use: (routes: Ways) => Effect.Effect<A, E>) => withRoutes([plainRoute()], use);

const wall = (reason: Failed["reason"] = "bot_blocked") => Effect.fail(failed(reason));

const close = Effect.fnUntraced(function* ({ serve }: Ways) {
  for (let at = 0; at < REFUSALS_TO_REST; at++) yield* Effect.flip(serve(`${SITE}${at}`, () => wall()));
});

describe("with one route", () => {
  it.effect("a host that refuses gets no requests, and the failure says until when", () =>
    withPlainRoute((routes) =>
      Effect.gen(function* () {
        yield* close(routes);
        let asked = 0;
        const request = () => Effect.sync(() => (asked += 1));
        for (const url of [`${SITE}new`, "https://www.video.example/x", "https://m.video.example/y"]) {
          const failure = yield* Effect.flip(routes.serve(url, request));
          assert.deepStrictEqual([failure.reason, failure.retryAfterSeconds], ["bot_blocked", 60]);
          assert.include(failure.message, "60 seconds");
        }
        assert.strictEqual(yield* routes.serve("https://other.example/", request), 1);
      })
    )
  );

  it.effect("a request near the end of a pause waits for it, and its success ends the pause", () =>
    withPlainRoute((routes) =>
      Effect.gen(function* () {
        yield* close(routes);
        yield* TestClock.adjust(FIRST_PAUSE_MS - WAIT_MAX_MS);
        const fiber = yield* Effect.forkChild(routes.serve(`${SITE}new`, () => Effect.succeed("there")));
        yield* TestClock.adjust(WAIT_MAX_MS);
        assert.strictEqual(yield* Fiber.join(fiber), "there");
        const again = yield* Effect.flip(routes.serve(`${SITE}again`, () => wall()));
        assert.isNull(again.retryAfterSeconds);
        assert.strictEqual(yield* routes.serve(`${SITE}more`, () => Effect.succeed(1)), 1);
      })
    )
  );

  it.effect("any other answer of the host counts against a pause", () =>
    withPlainRoute(({ serve }) =>
      Effect.gen(function* () {
        for (let at = 0; at < 3 * REFUSALS_TO_REST; at++) {
          yield* Effect.flip(serve(`${SITE}${at}`, () => wall()));
          if (at % 2 === 0) yield* Effect.flip(serve(`${SITE}${at}`, () => wall("removed")));
        }
        assert.strictEqual(yield* serve(SITE, () => Effect.succeed(1)), 1);
      })
    )
  );

  it.effect("after an interrupted trial, the next request is the trial", () =>
    withPlainRoute((routes) =>
      Effect.gen(function* () {
        yield* close(routes);
        yield* TestClock.adjust(FIRST_PAUSE_MS);
        const trial = yield* Effect.forkChild(routes.serve(SITE, () => Effect.never));
        yield* Effect.yieldNow;
        yield* Fiber.interrupt(trial);
        assert.strictEqual(yield* routes.serve(SITE, () => Effect.succeed(1)), 1);
      })
    )
  );

  it.effect("every pause is logged once, with the host", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = [];
      const logger = Logger.make(({ message }) => void lines.push(message));
      yield* withPlainRoute((routes) => Effect.provide(close(routes), Logger.layer([logger])));
      assert.lengthOf(lines, 1);
    })
  );
});

const named = (name: string, order: number, change: Partial<SourceRoute> = {}): SourceRoute => ({
  ...plainRoute(),
  name,
  order,
  ...change
});

const TWO = [named("office", 1), named("homes", 2)];

describe("with several routes", () => {
  /** Which routes a run takes, if those named are refused. */
  const taken = Effect.fnUntraced(function* (
    { serve }: Ways,
    url: string,
    ...refused: ReadonlyArray<string>
  ) {
    const names: Array<string> = [];
    yield* Effect.ignore(
      serve(url, ({ name: { route: name } }) => {
        names.push(name);
        return refused.includes(name) ? wall("rate_limited") : Effect.void;
      })
    );
    return names;
  });

  it.effect("a refused run goes on by the next one, and the first rests, then comes back by one run", () =>
    withRoutes(TWO, (routes) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* taken(routes, SITE, "office"), ["office", "homes"]);
        assert.deepStrictEqual(yield* taken(routes, `${SITE}2`), ["homes"]);
        assert.deepStrictEqual(yield* taken(routes, "https://other.example/"), ["office"]);
        yield* TestClock.adjust(FIRST_PAUSE_MS);
        const trial = yield* Effect.forkChild(
          routes.serve(`${SITE}3`, ({ name: { route: name } }) => Effect.as(Effect.sleep(1_000), name))
        );
        yield* Effect.yieldNow;
        assert.deepStrictEqual(yield* taken(routes, `${SITE}4`), ["homes"], "there is one trial");
        yield* TestClock.adjust(1_000);
        assert.strictEqual(yield* Fiber.join(trial), "office");
        assert.deepStrictEqual(yield* taken(routes, `${SITE}5`), ["office"]);
      })
    )
  );

  it.effect("a route that is refused at its trial rests twice as long", () =>
    withRoutes(TWO, (routes) =>
      Effect.gen(function* () {
        yield* taken(routes, SITE, "office");
        yield* TestClock.adjust(FIRST_PAUSE_MS);
        assert.deepStrictEqual(yield* taken(routes, SITE, "office"), ["office", "homes"]);
        yield* TestClock.adjust(2 * FIRST_PAUSE_MS - 1);
        assert.deepStrictEqual(yield* taken(routes, SITE), ["homes"]);
        yield* TestClock.adjust(1);
        assert.deepStrictEqual(yield* taken(routes, SITE), ["office"]);
      })
    )
  );

  it.effect("a run that knew something outdated begins anew by the same route, which does not rest", () =>
    withRoutes(TWO, (routes) =>
      Effect.gen(function* () {
        const names: Array<string> = [];
        const name = yield* routes.serve(SITE, (way) => {
          names.push(way.name.route);
          if (names.length > 1) return Effect.succeed(way.name.route);
          way.noteOutdated();
          return wall("rate_limited");
        });
        assert.deepStrictEqual([...names, name], ["office", "office", "office"]);
        assert.deepStrictEqual(yield* taken(routes, `${SITE}2`), ["office"]);
      })
    )
  );

  it.effect("one odd URL, which no route gets, makes no route rest", () =>
    withRoutes(TWO, (routes) =>
      Effect.gen(function* () {
        for (let time = 0; time < 10; time++) {
          assert.deepStrictEqual(yield* taken(routes, SITE, "office", "homes"), ["office", "homes"]);
        }
        assert.deepStrictEqual(yield* taken(routes, `${SITE}other`), ["office"]);
      })
    )
  );

  it.effect(
    "a page that is forbidden by all is private; one that another route gets makes the first rest",
    () =>
      withRoutes(TWO, (routes) =>
        Effect.gen(function* () {
          const forbidden = (...names: ReadonlyArray<string>) =>
            routes.serve(SITE, ({ name: { route: name }, noteForbidden }) => {
              if (!names.includes(name)) return Effect.succeed(name);
              noteForbidden();
              return wall("private");
            });
          assert.strictEqual((yield* Effect.flip(forbidden("office", "homes"))).reason, "private");
          assert.deepStrictEqual(yield* taken(routes, SITE), ["office"]);
          // A private post, which is not said by a status.
          const post = routes.serve(SITE, () => wall("private"));
          assert.strictEqual((yield* Effect.flip(post)).reason, "private");
          assert.strictEqual(yield* forbidden("office"), "homes");
          assert.deepStrictEqual(yield* taken(routes, `${SITE}2`), ["homes"]);
        })
      )
  );

  it.effect("a route serves its hosts only, and a host that none serves gets the server's own way", () =>
    withRoutes([named("tube", 1, { hosts: ["video.example"] })], (routes) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* taken(routes, "https://m.video.example/"), ["tube"]);
        assert.deepStrictEqual(yield* taken(routes, "https://notvideo.example/"), ["default"]);
      })
    )
  );

  it.effect("a download keeps the route of its inspection, unless that is refused, rests or is gone", () =>
    withRoutes(TWO, (routes, table) =>
      Effect.gen(function* () {
        const download = (preferred: string, refusing: ReadonlyArray<string> = [], reason = "bot_blocked") =>
          Effect.gen(function* () {
            const tried: Array<string> = [];
            const ended = yield* Effect.exit(
              routes.serve(
                SITE,
                ({ name: { route: name } }) =>
                  Effect.suspend(() => {
                    tried.push(name);
                    return refusing.includes(name) ? wall(reason as "bot_blocked") : Effect.void;
                  }),
                { route: preferred, ytDlp: "yt-dlp" }
              )
            );
            return [...tried, ended._tag].join(" ");
          });
        assert.strictEqual(yield* download("homes"), "homes Success");
        assert.strictEqual(yield* download("office", ["office"], "removed"), "office Failure");
        assert.strictEqual(yield* download("homes", ["homes"]), "homes office Success");
        assert.strictEqual(yield* download("homes"), "office Success", "it rests");
        assert.deepStrictEqual(yield* taken(routes, SITE), ["office"]);
        assert.strictEqual(yield* download("office", ["office"]), "office Failure", "the last one goes on");
        yield* TestClock.adjust(FIRST_PAUSE_MS);
        table.shift();
        assert.strictEqual(yield* download("office"), "homes Success", "it is gone");
      })
    )
  );

  it.effect("what is wrong with one is logged at the start, when the routes change, and daily", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      const logger = Logger.make(({ message }) => void lines.push(String(message)));
      const odd = named("homes", 2, { cookies: "/nowhere/cookies.txt" });
      let table = [odd];
      const logged = (count: number) =>
        Effect.repeat(
          Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
          {
            until: () => lines.length >= count
          }
        );
      yield* Effect.gen(function* () {
        yield* Effect.forkScoped(warnOfRoutes({ current: () => table }));
        yield* logged(1);
        yield* TestClock.adjust("23 hours");
        assert.deepStrictEqual(lines, [
          "The cookie file of a route cannot be read: check that it exists and that the server may read it."
        ]);
        yield* TestClock.adjust("1 hour");
        yield* logged(2);
        table = [odd];
        yield* TestClock.adjust("1 minute");
        yield* logged(3);
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])));
      assert.lengthOf(lines, 3);
    })
  );

  it.effect("what they did is reported, without a password", () =>
    withRoutes(
      [
        named("office", 1, {
          proxy: { scheme: "socks5", host: "proxy.example", port: 1_080, username: "u", password: "s3cret" }
        }),
        named("homes", 2, { cookies: "/nowhere/cookies.txt" })
      ],
      (routes) =>
        Effect.gen(function* () {
          yield* taken(routes, SITE, "office");
          const [office, homes, own] = yield* routes.report;
          assert.deepStrictEqual(office, {
            name: "office",
            proxy: "socks5://proxy.example:1080",
            hosts: null,
            order: 1,
            resting: [{ host: "video.example", reason: "rate_limited", untilMs: FIRST_PAUSE_MS }],
            jar: null
          });
          assert.deepInclude(homes?.jar, { writtenAtMs: null, lastSuccessAtMs: 0 });
          assert.match(homes?.jar?.problem ?? "", /^cannot be read/u);
          assert.strictEqual(own?.name, "default");
        })
    )
  );
});
