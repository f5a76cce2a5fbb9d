/**
 * How long the one run of each of 50 accounts waits for a worker while another account has 1,000 runs in the queue,
 * compared with none: pg-boss on PostgreSQL, four workers, runs of a fixed duration. Budget: no longer than alone
 * plus one run. Also how many of the 1,000 runs began meanwhile, which does not depend on the machine's load.
 *
 *     node packages/adapters/bench/run-shares.ts [rounds]
 */
import { randomUUID } from "node:crypto";
import { JobQueue } from "@winnow/core/ports/JobQueue";
import * as Effect from "effect/Effect";
import { benchStore } from "./BenchStore.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
const ACCOUNTS = 50;
const RUNS_OF_THE_CROWD = 1_000;
const WORKERS = 4;
const RUN_MS = 400;

const CROWD = "acc_crowd";

const jobOf = (accountId: string) => ({ accountId, extractionId: `ext_${randomUUID()}` });

const enqueueAll = (accounts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const queue = yield* JobQueue;
    const enqueuedMs = new Map<string, number>();
    const enqueue = Effect.fnUntraced(function* (account: string) {
      yield* queue.enqueue(jobOf(account));
      enqueuedMs.set(account, performance.now());
    });
    yield* Effect.forEach(accounts, enqueue, { concurrency: 8, discard: true });
    return enqueuedMs;
  });

/** Milliseconds from the queue to a worker for each account's run; the large account's runs are waiting already. */
const waits = Effect.fnUntraced(function* (crowd: number) {
  const queue = yield* JobQueue;
  const begunMs = new Map<string, number>();
  let begunOfCrowd = 0;
  yield* enqueueAll(Array.from({ length: crowd }, () => CROWD));
  yield* queue.work(WORKERS, ({ accountId }) =>
    Effect.andThen(
      Effect.sync(() => {
        if (accountId === CROWD) begunOfCrowd += 1;
        else begunMs.set(accountId, performance.now());
      }),
      Effect.sleep(RUN_MS)
    )
  );
  // Every worker is busy before the others arrive.
  yield* Effect.sleep(crowd === 0 ? 0 : 2 * RUN_MS);
  const begunBefore = begunOfCrowd;
  const accounts = Array.from({ length: ACCOUNTS }, () => `acc_${randomUUID()}`);
  const enqueuedMs = yield* enqueueAll(accounts);
  yield* Effect.sync(() => accounts.every((account) => begunMs.has(account))).pipe(
    Effect.delay(5),
    Effect.repeat({ until: (all) => all })
  );
  return {
    waitsMs: accounts.map((account) =>
      Math.max(0, (begunMs.get(account) ?? 0) - (enqueuedMs.get(account) ?? 0))
    ),
    begunOfCrowd: begunOfCrowd - begunBefore
  };
}, Effect.scoped);

const quantile = (values: ReadonlyArray<number>, of: number): number =>
  values.toSorted((left, right) => left - right)[Math.ceil(values.length * of) - 1] ?? Number.NaN;

/** Each on its own database, so that jobs left by a round do not matter. */
const round = (crowd: number) =>
  Effect.flatMap(benchStore, (context) => Effect.provideContext(waits(crowd), context)).pipe(Effect.scoped);

const program = Effect.gen(function* () {
  for (let turn = 1; turn <= ROUNDS; turn++) {
    const alone = yield* round(0);
    const beside = yield* round(RUNS_OF_THE_CROWD);
    for (const [name, of] of [
      ["median", 0.5],
      ["p95", 0.95],
      ["longest", 1]
    ] as const) {
      const [before, after] = [quantile(alone.waitsMs, of), quantile(beside.waitsMs, of)];
      console.log(
        `round ${turn}, ${name} wait of ${ACCOUNTS}: alone ${before.toFixed(0)} ms, beside ${RUNS_OF_THE_CROWD} of another ${after.toFixed(0)} ms: ${((after - before) / RUN_MS).toFixed(2)} runs more (budget 1.00)`
      );
    }
    console.log(`round ${turn}, runs of the crowd begun meanwhile: ${beside.begunOfCrowd}`);
  }
});

await Effect.runPromise(program);
process.exit(0);
