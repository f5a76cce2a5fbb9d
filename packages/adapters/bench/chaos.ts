/**
 * The chaos of test/faults for as long as one likes; prints what was done, and ends with an error where a law broke.
 *
 *     node packages/adapters/bench/chaos.ts --minutes 25 --seed 7 --workers 4
 */
import { parseArgs } from "node:util";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import { TestPostgres } from "../test/postgres/TestPostgres.ts";
import { chaos } from "../test/faults/chaos.ts";
import { downloader } from "../test/faults/chaosSources.ts";
import { layer } from "../test/faults/TestEngine.ts";
import { workplace } from "../test/faults/Workplaces.ts";

const MINUTE_MS = 60_000;

const number = (standard: string) => ({ type: "string", default: standard }) as const;
const { values } = parseArgs({ options: { minutes: number("3"), seed: number("1"), workers: number("4") } });

const run = Effect.gen(function* () {
  const place = yield* workplace;
  const options = {
    seed: Number(values.seed),
    forMs: Number(values.minutes) * MINUTE_MS,
    workers: Number(values.workers)
  };
  const report = yield* chaos(place, options).pipe(
    Effect.provide([layer(place, downloader), Logger.layer([])])
  );
  console.log(JSON.stringify({ ...options, ...report }, null, 2));
});

await Effect.runPromise(Effect.scoped(run).pipe(Effect.provide(TestPostgres.layer)));
