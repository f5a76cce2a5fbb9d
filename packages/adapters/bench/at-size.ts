/**
 * A list page, at its start and at a random cursor, and a cache look-up with 1,000,000 extractions of one
 * account in the database, against 10,000: two servers, in turns. Budget: 1.2x the time.
 *
 *     node packages/adapters/bench/at-size.ts [rounds]
 */
import { Store } from "@winnow/core/ports/Store";
import { sampleExtraction, sampleFacts, sampleResult } from "@winnow/core/testing/samples";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as SqlClient from "effect/sql/SqlClient";
import { benchStore } from "./BenchStore.ts";
import { median, timed } from "./timing.ts";

const [rounds = 9] = process.argv.slice(2).map(Number);
const SIZES = { small: 10_000, large: 1_000_000 } as const;
const CALLS_PER_ROUND = 300;
const PAGE_LIMIT = 20;
const ACCOUNT = "acc_bench";
const START_MS = 1_700_000_000_000;

type Database = Context.Context<Store | SqlClient.SqlClient>;

const fill = (rows: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const { request, pricedFacts } = sampleExtraction(ACCOUNT);
    const result = sampleResult("ext", { facts: sampleFacts() });
    yield* sql`set statement_timeout = 0`;
    yield* sql`insert into winnow.account (id, name, balance, slots_used, bonus_granted, created_at_ms)
      values (${ACCOUNT}, 'Bench', 0, 0, true, 0)`;
    yield* sql`insert into winnow.extraction (id, account_id, status, request, cache_key, priced_facts,
        credits_debited, credits_refunded, attempt, result, created_at_ms, started_at_ms, completed_at_ms,
        moved_at_ms)
      select 'ext_' || n, ${ACCOUNT}, 'complete', ${JSON.stringify(request)}::json,
        encode(sha256(n::text::bytea), 'hex'), ${JSON.stringify(pricedFacts)}::json, 230, 0, 1,
        ${JSON.stringify(result)}::json, ${String(START_MS)}::bigint + n, ${String(START_MS)}::bigint,
        ${String(START_MS)}::bigint + n, ${String(START_MS)}::bigint
      from generate_series(1, ${rows}::integer) n`;
    yield* sql`analyze`;
  });

/** Fixed, so that both sides and every round do the same. */
const places = (rows: number): ReadonlyArray<number> =>
  Array.from(
    { length: CALLS_PER_ROUND },
    (_, call) => ((call * 7_919) % (rows - PAGE_LIMIT)) + PAGE_LIMIT + 1
  );

const page = (after: { readonly createdAtMs: number; readonly id: string } | null) =>
  Effect.gen(function* () {
    const store = yield* Store;
    const found = yield* store.listExtractions(ACCOUNT, { after, limit: PAGE_LIMIT });
    if (found.length !== PAGE_LIMIT) return yield* Effect.die(new Error("A page is too short"));
  });

const lookUp = (sql: SqlClient.SqlClient, rows: number) =>
  Effect.gen(function* () {
    const store = yield* Store;
    const numbers = JSON.stringify(places(rows));
    const keys = yield* sql<{ readonly key: string }>`
      select encode(sha256(n::bytea), 'hex') as key from json_array_elements_text(${numbers}::json) n`;
    return Effect.forEach(
      keys,
      ({ key }) =>
        Effect.flatMap(store.findReusable(ACCOUNT, key, START_MS), (found) =>
          Option.isSome(found) ? Effect.void : Effect.die(new Error("Nothing was found"))
        ),
      { discard: true }
    );
  });

const works = (rows: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    return {
      "first page": Effect.forEach(places(rows), () => page(null), { discard: true }),
      "page at a cursor": Effect.forEach(
        places(rows),
        (place) => page({ createdAtMs: START_MS + place, id: `ext_${place}` }),
        { discard: true }
      ),
      "cache look-up": yield* lookUp(sql, rows)
    };
  });

const open = (rows: number) =>
  Effect.gen(function* () {
    const database: Database = yield* benchStore;
    yield* Effect.provideContext(fill(rows), database);
    return { database, works: yield* Effect.provideContext(works(rows), database) };
  });

const program = Effect.gen(function* () {
  const small = yield* open(SIZES.small);
  const large = yield* open(SIZES.large);
  for (const name of ["first page", "page at a cursor", "cache look-up"] as const) {
    const ratios: Array<number> = [];
    let perCallMs = [0, 0];
    for (let round = 0; round <= rounds; round++) {
      const smallMs = yield* timed(Effect.provideContext(small.works[name], small.database));
      const largeMs = yield* timed(Effect.provideContext(large.works[name], large.database));
      if (round > 0) ratios.push(largeMs / smallMs); // the first warms up
      perCallMs = [smallMs / CALLS_PER_ROUND, largeMs / CALLS_PER_ROUND];
    }
    const [smallMs, largeMs] = perCallMs.map((each) => each.toFixed(2));
    console.log(
      `${name}: ${smallMs} ms, ${largeMs} ms; median ratio ${median(ratios).toFixed(2)} (budget 1.20)`
    );
  }
});

await Effect.runPromise(Effect.scoped(program));
