import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { makeRunFolder } from "@winnow/isolation/process/RunFolder";
import {
  changeVersionState,
  readVersionState,
  versionsFolder
} from "../../../src/programs/python/VersionFile.ts";
import {
  NOTHING_KNOWN,
  offer,
  use,
  type VersionState,
  type YtDlpProgram
} from "../../../src/programs/python/VersionState.ts";
import { FIRST_PAUSE_MS, REFUSALS_TO_REST } from "../../../src/sources/ways/Standing.ts";
import { DEFAULT_LIMITS } from "../../../src/sources/DownloadLimits.ts";
import { classify, failureOf, processFailure } from "../../../src/sources/failures/classify.ts";
import { routedServices, type SharedServices } from "../../../src/sources/inspect/RoutedServices.ts";
import { DEFAULT_ROUTE, fixedRoutes, plainRoute } from "../../../src/sources/ways/SourceRoute.ts";
import { makeWays, type RunWay } from "../../../src/sources/ways/Ways.ts";
import type { YtDlp, YtDlpPlace } from "../../../src/sources/yt-dlp/YtDlp.ts";
import type { YtDlpAnswer } from "../../../src/sources/yt-dlp/YtDlpJob.ts";
import { makeRunningVersions, READS_TO_PROVE } from "../../../src/sources/yt-dlp/versions/RunningVersions.ts";
import { Egress } from "@winnow/isolation/network/Egress";
import { quietEgress } from "@winnow/isolation/test/network/QuietEgress";
import { temporaryFolder } from "../harness.ts";

const [OLD, NEW] = ["2030.01.01", "2030.02.02"];

/** How a version answers at a host; a host without an entry is read. */
type Behaviour = "blocked" | "broken" | "dies" | "hangs" | "removed";

const MESSAGES = {
  blocked: "Sign in to confirm you're not a bot",
  broken: "Unable to extract player data",
  removed: "This video has been removed"
};

const answerOf = (
  behaviour: Exclude<Behaviour, "dies" | "hangs"> | undefined,
  version: string
): YtDlpAnswer =>
  behaviour === undefined
    ? { ok: true, info: { id: "1", title: "Talk", _version: { version } } }
    : ({ ok: false, message: MESSAGES[behaviour], extractor: "Video" } as YtDlpAnswer);

/** Versions that answer without a program, and what they were asked: `NEW one.test`, with `+` if with cookies. */
const openVersions = Effect.fnUntraced(function* (
  state: VersionState,
  behaviours: Record<string, Record<string, Behaviour>> = {},
  cookies: string | null = null
) {
  const dataDir = temporaryFolder();
  for (const version of [OLD, NEW]) {
    mkdirSync(join(versionsFolder(dataDir), version), { recursive: true });
    writeFileSync(join(versionsFolder(dataDir), version, "environment.json"), "{}");
  }
  yield* Effect.promise(() => changeVersionState(dataDir, () => state));
  const asked: Array<string> = [];
  const ask = (version: string, url: string, { cookies }: YtDlpPlace) =>
    Effect.suspend(() => {
      const host = new URL(url).hostname;
      asked.push(`${version === NEW ? "new" : "old"}${cookies === null ? "" : "+"} ${host}`);
      const behaviour = behaviours[version]?.[host];
      if (behaviour === "dies") {
        behaviours[version] = {};
        return Effect.fail(new ProcessFailed({ reason: "not_started", message: "It died." }));
      }
      return behaviour === "hangs" ? Effect.never : Effect.succeed(answerOf(behaviour, version));
    });
  const make = ({ version }: YtDlpProgram): Effect.Effect<YtDlp> =>
    Effect.succeed({
      inspect: (url, _items, place) => ask(version ?? "", url, place),
      comments: () => Effect.die("nobody asks for comments"),
      download: () => Effect.die("nobody downloads"),
      ready: Effect.void
    });
  const pathOf = (version: string) => join(versionsFolder(dataDir), version, "bin", "yt-dlp");
  const versions = yield* makeRunningVersions({
    dataDir,
    onPath: null,
    first: { version: OLD, ytDlp: pathOf(OLD) },
    make
  });
  const { countInspection } = versions;
  const services = { limits: DEFAULT_LIMITS, countInspection } as SharedServices;
  const folder = yield* makeRunFolder(dataDir);
  const ways = makeWays(fixedRoutes(plainRoute(cookies)), { egress: yield* Egress, versions });
  let pages = 0;
  /** By `preferred` first: null for no version in particular. */
  const inspect = (host: string, preferred: string | null = null) => {
    const url = `http://${host}/${(pages += 1)}`;
    const inspectBy = (way: RunWay<YtDlp>) => {
      const place = { folder, proxyUrl: "http://127.0.0.1:1", cookies: way.cookies };
      return routedServices(services, way)
        .ytDlp.inspect(url, "1", place)
        .pipe(
          Effect.mapError(processFailure),
          Effect.flatMap((answer) => (answer.ok ? Effect.void : Effect.fail(failureOf(classify(answer)))))
        );
    };
    const first = preferred === null ? undefined : { route: DEFAULT_ROUTE, ytDlp: pathOf(preferred) };
    return Effect.exit(ways.serve(url, inspectBy, first));
  };
  /** What was asked since the last call. */
  const taken = () => asked.splice(0);
  return { asked: taken, behaviours, dataDir, inspect };
}, Effect.provide(quietEgress()));

describe("two versions of yt-dlp", () => {
  it.effect("heal a host that the newest no longer reads, and leave the others with the newest", () =>
    Effect.gen(function* () {
      const { asked, inspect } = yield* openVersions(NOTHING_KNOWN, { [NEW]: { "one.test": "broken" } });
      assert.isTrue(Exit.isSuccess(yield* inspect("one.test")));
      assert.isTrue(Exit.isSuccess(yield* inspect("one.test")));
      assert.isTrue(Exit.isSuccess(yield* inspect("two.test")));
      assert.deepStrictEqual(asked(), ["new one.test", "old one.test", "old one.test", "new two.test"]);
    }).pipe(Effect.scoped)
  );

  it.effect("try the newest again after a pause that grows, by one run, until it reads the host", () =>
    Effect.gen(function* () {
      const versions = yield* openVersions(NOTHING_KNOWN, { [NEW]: { "one.test": "broken" } });
      const { asked, behaviours, inspect } = versions;
      yield* inspect("one.test");
      asked();
      yield* TestClock.adjust(FIRST_PAUSE_MS);
      yield* inspect("one.test");
      yield* TestClock.adjust(FIRST_PAUSE_MS);
      yield* inspect("one.test");
      assert.deepStrictEqual(asked(), ["new one.test", "old one.test", "old one.test"]);
      behaviours[NEW] = {};
      yield* TestClock.adjust(FIRST_PAUSE_MS);
      yield* inspect("one.test");
      yield* inspect("one.test");
      assert.deepStrictEqual(asked(), ["new one.test", "new one.test"]);
    }).pipe(Effect.scoped)
  );

  it.effect("lose no run to a newest version that hangs, and wait for it once", () =>
    Effect.gen(function* () {
      const { asked, inspect } = yield* openVersions(NOTHING_KNOWN, { [NEW]: { "one.test": "hangs" } });
      const waiting = yield* Effect.forkChild(inspect("one.test"));
      yield* TestClock.adjust(DEFAULT_LIMITS.inspectTimeoutMs / 2);
      assert.isTrue(Exit.isSuccess(yield* Fiber.join(waiting)));
      assert.isTrue(Exit.isSuccess(yield* inspect("one.test")));
      assert.deepStrictEqual(asked(), ["new one.test", "old one.test", "old one.test"]);
    }).pipe(Effect.scoped)
  );

  it.effect(
    "agree on what neither reads: the newest says why, and the other is asked no more for a while",
    () =>
      Effect.gen(function* () {
        const { asked, inspect } = yield* openVersions(NOTHING_KNOWN, {
          [NEW]: { "one.test": "broken", "two.test": "removed" },
          [OLD]: { "one.test": "broken" }
        });
        for (let page = 0; page < REFUSALS_TO_REST; page++) {
          assert.isTrue(Exit.isFailure(yield* inspect("one.test")));
          assert.deepStrictEqual(asked(), ["new one.test", "old one.test"]);
        }
        yield* inspect("one.test");
        assert.isTrue(Exit.isFailure(yield* inspect("two.test")));
        assert.deepStrictEqual(asked(), ["new one.test", "new two.test"]);
      }).pipe(Effect.scoped)
  );

  it.effect("are one if the operator chose it, which is asked again only if it died", () =>
    Effect.gen(function* () {
      const { asked, inspect } = yield* openVersions(use(NOTHING_KNOWN, OLD), {
        [OLD]: { "one.test": "broken" }
      });
      assert.isTrue(Exit.isFailure(yield* inspect("one.test")));
      assert.deepStrictEqual(asked(), ["old one.test"]);
      const again = yield* openVersions(use(NOTHING_KNOWN, OLD), { [OLD]: { "one.test": "dies" } });
      assert.isTrue(Exit.isSuccess(yield* again.inspect("one.test")));
      assert.deepStrictEqual(again.asked(), ["old one.test", "old one.test"]);
    }).pipe(Effect.scoped)
  );

  it.effect("serve for each other in the trial of a route, too", () =>
    Effect.gen(function* () {
      const { asked, behaviours, inspect } = yield* openVersions(NOTHING_KNOWN, {
        [NEW]: { "one.test": "blocked" },
        [OLD]: { "one.test": "blocked" }
      });
      for (let page = 0; page < REFUSALS_TO_REST; page++) yield* inspect("one.test");
      asked();
      assert.isTrue(Exit.isFailure(yield* inspect("one.test")));
      assert.deepStrictEqual(asked(), [], "the route rests");
      behaviours[NEW] = { "one.test": "broken" };
      behaviours[OLD] = {};
      yield* TestClock.adjust(FIRST_PAUSE_MS);
      assert.isTrue(Exit.isSuccess(yield* inspect("one.test")));
      assert.deepStrictEqual(asked(), ["new one.test", "old one.test"]);
    }).pipe(Effect.scoped)
  );

  it.effect("serve for each other if one died", () =>
    Effect.gen(function* () {
      const { asked, inspect } = yield* openVersions(NOTHING_KNOWN, { [NEW]: { "one.test": "dies" } });
      assert.isTrue(Exit.isSuccess(yield* inspect("one.test")));
      assert.deepStrictEqual(asked(), ["new one.test", "old one.test"]);
    }).pipe(Effect.scoped)
  );

  it.effect("fetch with the version that inspected, and with the other one if that fails", () =>
    Effect.gen(function* () {
      const { asked, behaviours, inspect } = yield* openVersions(NOTHING_KNOWN);
      assert.isTrue(Exit.isSuccess(yield* inspect("one.test", OLD)));
      behaviours[OLD] = { "one.test": "broken" };
      assert.isTrue(Exit.isSuccess(yield* inspect("one.test", OLD)));
      assert.deepStrictEqual(asked(), ["old one.test", "old one.test", "new one.test"]);
    }).pipe(Effect.scoped)
  );
});

describe("a version on probation", () => {
  it.effect("gets no cookies, whatever it read before", () =>
    Effect.gen(function* () {
      const state = offer(NOTHING_KNOWN, NEW);
      for (const [cookies, by] of [
        [null, "new one.test"],
        ["jar.txt", "old+ one.test"]
      ] as const) {
        const { asked, inspect } = yield* openVersions(state, {}, cookies);
        yield* inspect("one.test");
        yield* inspect("one.test", NEW);
        assert.deepStrictEqual(asked(), [by, by]);
      }
    }).pipe(Effect.scoped)
  );

  it.effect("is proven once it has inspected enough sources; what it cannot read counts for nothing", () =>
    Effect.gen(function* () {
      const { dataDir, inspect } = yield* openVersions(offer(NOTHING_KNOWN, NEW), {
        [NEW]: { "one.test": "removed" }
      });
      for (let page = 1; page < READS_TO_PROVE; page++) yield* inspect("two.test");
      yield* inspect("one.test");
      assert.strictEqual(readVersionState(dataDir).probation, NEW);
      yield* inspect("two.test");
      assert.deepStrictEqual(readVersionState(dataDir), NOTHING_KNOWN);
    }).pipe(Effect.scoped)
  );
});
