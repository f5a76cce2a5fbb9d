/**
 * The cost of queries at two sizes of the table of runs, on two servers in turn: lists with each filter, first and
 * deep pages, cache look-up, sweeper, /metrics, retention. Budget: the larger takes
 * at most 1.5x the time of the smaller.
 *
 * Every query goes through the store, and the database reports the time of its statement, the indexes used and the
 * pages read (auto_explain), so the caller's processing does not count. In each round the files of both are dropped
 * from the system's cache; the first statement after that is the cold one. Then the same queries run again, warm.
 *
 *     nice node packages/adapters/bench/rows.ts [rows, smaller] [rows, larger] [rounds] [folder to keep them in]
 *
 * Needs 2.5 KB of disk per row. An existing folder is measured again without being filled.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { questions, type Question } from "./rows/questions.ts";
import { rowsDatabase, type RowsDatabase } from "./rows/RowsDatabase.ts";
import { median } from "./timing.ts";

const [smaller = 5_000_000, larger = 20_000_000, rounds = 7] = process.argv.slice(2, 5).map(Number);
const kept = process.argv[5];
const CALLS_PER_ROUND = 20;
const BUDGET = 1.5;

interface Sample {
  readonly coldMs: number;
  readonly warmMs: number;
  readonly plan: string;
}

const asked = (database: RowsDatabase, { ask, statement }: Question, calls: ReadonlyArray<number>) =>
  database.explained(
    Effect.forEach(calls, (call) => ask(database.rows, call), { discard: true }),
    statement
  );

/** Samples of both databases; which is measured first alternates between rounds. */
const sampled = Effect.fnUntraced(function* (
  question: Question,
  databases: ReadonlyArray<RowsDatabase>,
  round: number
) {
  const { calls = CALLS_PER_ROUND } = question;
  const places = Array.from({ length: calls }, (_, call) => round * calls + call);
  const inTurn = round % 2 === 0 ? databases : databases.toReversed();
  const samples = new Map<RowsDatabase, Sample>();
  const cold = new Map<RowsDatabase, number>();
  for (const database of inTurn) yield* database.forgetFiles;
  for (const database of inTurn) {
    const [first] = yield* asked(database, question, places);
    cold.set(database, first?.durationMs ?? Number.NaN);
  }
  for (const database of inTurn) {
    const statements = yield* asked(database, question, places);
    const last = statements.at(-1);
    samples.set(database, {
      coldMs: cold.get(database) ?? Number.NaN,
      warmMs: median(statements.map(({ durationMs }) => durationMs)),
      plan: last === undefined ? "" : `${last.plan}; ${last.hitPages + last.readPages}`
    });
  }
  return databases.flatMap((database) => samples.get(database) ?? []);
});

const ratioOf = (pairs: ReadonlyArray<ReadonlyArray<number>>): string => {
  const ratio = median(pairs.map(([left = Number.NaN, right = Number.NaN]) => right / left));
  return `${ratio.toFixed(2)}${ratio > BUDGET ? " MISSED" : ""}`;
};

const figures = (pairs: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<string> => [
  ...[0, 1].map((side) => median(pairs.map((pair) => pair[side] ?? Number.NaN)).toFixed(3)),
  ratioOf(pairs)
];

const program = Effect.gen(function* () {
  const folder =
    kept ??
    (yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "winnow-rows-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    ));
  const small = yield* rowsDatabase(smaller, join(folder, "small"));
  const large = yield* rowsDatabase(larger, join(folder, "large"));
  const databases = [small, large];
  console.log(`${smaller} and ${larger} rows: ${small.size} and ${large.size} a row, indexes included`);
  for (const question of questions) {
    const samples: Array<ReadonlyArray<Sample>> = [];
    for (let round = 0; round < rounds; round++) samples.push(yield* sampled(question, databases, round));
    const warm = samples.map((pair) => pair.map(({ warmMs }) => warmMs));
    const cold = samples.map((pair) => pair.map(({ coldMs }) => coldMs));
    const plans = samples.at(-1)?.map((sample) => sample.plan) ?? [];
    console.log(
      `| ${[question.name, ...figures(warm), ...figures(cold), plans.join(" and ")].join(" | ")} |`
    );
  }
});

await Effect.runPromise(Effect.scoped(program));
