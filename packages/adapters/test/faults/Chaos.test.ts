/** A slice of the chaos; `bench/chaos.ts` runs longer ones. */
import { assert, layer as withLayer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Logger from "effect/Logger";
import { TestPostgres } from "../postgres/TestPostgres.ts";
import { chaos } from "./chaos.ts";
import { downloader } from "./chaosSources.ts";
import { layer } from "./TestEngine.ts";
import { workplace } from "./Workplaces.ts";

const SECONDS = Number(process.env["WINNOW_CHAOS_SECONDS"] ?? 20);
const SEED = Number(process.env["WINNOW_CHAOS_SEED"] ?? 1);

/** After the chaos all must come to rest, on a machine that others want too. */
const REST_MS = 660_000;

withLayer(TestPostgres.layer, { excludeTestServices: true })("chaos", (it) => {
  it.effect(
    `for ${SECONDS} s breaks no law of money, slots or keys, and leaves no file that nobody names`,
    () =>
      Effect.gen(function* () {
        const place = yield* workplace;
        const report = yield* chaos(place, { seed: SEED, forMs: SECONDS * 1_000, workers: 2 }).pipe(
          Effect.provide([layer(place, downloader), Logger.layer([])])
        );
        if (process.env["WINNOW_CHAOS_SECONDS"] !== undefined) console.log(JSON.stringify(report));
        assert.isAbove(report.submits, 0);
        assert.isAbove(report.kills + report.freezes + report.cuts, 0);
      }).pipe(Effect.scoped),
    SECONDS * 1_000 + REST_MS
  );
});
