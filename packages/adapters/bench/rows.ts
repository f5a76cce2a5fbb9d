/**
 * What the database does for a question at two sizes of the table of runs, two servers in turns: list with each of
 * its filters, first page and deep, cache look-up, sweeper, /metrics, retention and vacuum. Budget: 1.5x the time from
 * the smaller to the larger.
 *
 * Every question is asked through the store, and the database itself says how long its statement took, what served it
 * and how many pages it read (auto_explain): what the caller does with the rows does not count. A fifth of the runs
 * belong to one account, the rest to 1,000.
 *
 *     nice node packages/adapters/bench/rows.ts [rows, smaller] [rows, larger] [rounds]
 */
import { rowsDatabase } from "./rows/RowsDatabase.ts";
import { questions } from "./rows/questions.ts";
import * as Effect from "effect/Effect";
import { median } from "./timing.ts";

const [smaller = 2_000_000, larger = 8_000_000, rounds = 15] = process.argv.slice(2).map(Number);
const CALLS_PER_ROUND = 20;
const BUDGET = 1.5;

const program = Effect.gen(function* () {
  const small = yield* rowsDatabase(smaller);
  const large = yield* rowsDatabase(larger);
  console.log(`${smaller} and ${larger} rows: ${small.size} and ${large.size} a row, indexes included`);
  for (const { name, statement, calls = CALLS_PER_ROUND, ask } of questions) {
    const medians: Array<ReadonlyArray<number>> = [];
    let served = "";
    for (let round = 0; round <= rounds; round++) {
      const pair: Array<number> = [];
      for (const database of [small, large]) {
        const statements = yield* database.explained(
          Effect.forEach(
            Array.from({ length: calls }),
            (_, call) => ask(database.rows, round * calls + call),
            {
              discard: true
            }
          ),
          statement
        );
        pair.push(median(statements.map(({ durationMs }) => durationMs)));
        const { plan = "", buffers = 0 } = statements.at(-1) ?? {};
        served = database === small ? `${plan}; ${buffers}` : `${served} and ${buffers} buffers`;
      }
      if (round > 0) medians.push(pair); // the first warms up
    }
    const [at = 0, over = 0] = [0, 1].map((side) => median(medians.map((pair) => pair[side] ?? 0)));
    const ratio = median(medians.map(([left = 0, right = 0]) => right / left));
    const cells = [
      name,
      at.toFixed(3),
      over.toFixed(3),
      `${ratio.toFixed(2)}${ratio > BUDGET ? " MISSED" : ""}`
    ];
    console.log(`| ${[...cells, served].join(" | ")} |`);
  }
  for (const { name, rows, vacuum } of [
    { name: "small", ...small },
    { name: "large", ...large }
  ]) {
    console.log(`vacuum after retention, ${name}, ${rows}: ${yield* vacuum}`);
  }
});

await Effect.runPromise(Effect.scoped(program));
