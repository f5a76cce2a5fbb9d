/**
 * How long checks of schemas and values take, and how long they block this thread.
 *
 *   node bench/schema-check.ts
 *
 * The schema is of the largest size that is accepted, as a generator would write it; the longest stall is
 * over the hostile cases of the tests and the largest accepted value.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { SCHEMA_BYTES_MAX } from "@winnow/core/domain/json-schema/SchemaRules";
import { SchemaChecker } from "@winnow/core/ports/SchemaChecker";
import * as Effect from "effect/Effect";
import * as WorkerSchemaChecker from "../src/schema-check/WorkerSchemaChecker.ts";
import { HOSTILE } from "../test/schema-check/hostile.ts";

const ROUNDS = 10;

const ACCOUNT = "acc_bench";

const field = (index: number): JsonObject => ({
  type: ["object", "null"],
  description: `Part ${index} of what is described, as the source gives it, in its own words.`,
  properties: {
    name: { type: "string", minLength: 1, description: "Its name." },
    count: { type: ["integer", "null"], minimum: 0 },
    unit: { enum: ["g", "kg", "ml", "l", null] }
  },
  required: ["name", "count", "unit"],
  additionalProperties: false
});

const schemaOf = (fields: number, title: string): JsonObject => ({
  type: "object",
  title,
  properties: Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [`part${index}`, field(index)])
  ),
  additionalProperties: false
});

const FIELDS = Math.floor(SCHEMA_BYTES_MAX / (JSON.stringify(field(100)).length + 12)) - 1;

const VALUE = Object.fromEntries(
  Array.from({ length: FIELDS }, (_, index) => [`part${index}`, { name: "Flour", count: index, unit: "g" }])
);

const LARGEST_VALUE = Array.from({ length: 33_000 }, (_, index) => ({ name: "Flour and so on", at: index }));

const delay = monitorEventLoopDelay({ resolution: 1 });

interface Measured {
  readonly name: string;
  readonly ms: number;
  readonly stallMs: number;
}

const measure = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<Measured, never, R> =>
  Effect.gen(function* () {
    delay.reset();
    delay.enable();
    const start = performance.now();
    yield* Effect.exit(effect);
    const ms = performance.now() - start;
    // One more turn, so that the last delay is counted.
    yield* Effect.sleep(5);
    delay.disable();
    return { name, ms, stallMs: delay.max / 1e6 };
  });

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const print = (name: string, ms: number, stallMs: number): void =>
  console.log(
    `${name.padEnd(52)} ${ms.toFixed(1).padStart(8)} ms   stall ${stallMs.toFixed(1).padStart(5)} ms`
  );

const rounds = Effect.fnUntraced(function* <E>(
  name: string,
  round: (index: number) => Effect.Effect<unknown, E, SchemaChecker>
) {
  const measured: Array<Measured> = [];
  for (let index = 0; index < ROUNDS; index++) measured.push(yield* measure(name, round(index)));
  print(name, median(measured.map(({ ms }) => ms)), Math.max(...measured.map(({ stallMs }) => stallMs)));
});

const bench = Effect.gen(function* () {
  const { check, validate } = yield* SchemaChecker;
  const schema = schemaOf(FIELDS, "x");
  console.log(`schema of ${JSON.stringify(schema).length} bytes, ${FIELDS} parts`);
  const first = yield* measure("first check, with the start of its worker", check(schema, ACCOUNT));
  print(first.name, first.ms, first.stallMs);
  yield* rounds("check of a schema not seen before", (index) =>
    check(schemaOf(FIELDS, `t${index}`), ACCOUNT)
  );
  yield* rounds("check of a schema seen before", () => check(schema, ACCOUNT));
  yield* rounds("validate a value that fits", () => validate(schema, VALUE, ACCOUNT));
  yield* rounds("validate the largest value", () =>
    validate({ items: { type: "object" } }, LARGEST_VALUE, ACCOUNT)
  );
  const hostile: Array<Measured> = [];
  for (const { name, schema: given, value } of HOSTILE) {
    hostile.push(yield* measure(name, validate(given, value, ACCOUNT)));
  }
  const slowest = hostile.toSorted((a, b) => b.ms - a.ms)[0];
  const worst = hostile.toSorted((a, b) => b.stallMs - a.stallMs)[0];
  if (slowest !== undefined) print(`slowest of hostile: ${slowest.name}`, slowest.ms, slowest.stallMs);
  if (worst !== undefined) print(`worst stall of hostile: ${worst.name}`, worst.ms, worst.stallMs);
});

await Effect.runPromise(Effect.scoped(Effect.provide(bench, WorkerSchemaChecker.layer)));
