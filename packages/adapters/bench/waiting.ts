/**
 * A submit of an account with 1,000 waiting runs, compared with one with three, which every decision reads, with
 * accounts without any, and those with accounts on a database without waiting runs; both slots are always taken.
 * Budget: 1.1x.
 *
 *     node packages/adapters/bench/waiting.ts [rounds]
 */
import { WAITING_MAX_DEFAULT } from "@winnow/core/domain/money/Plan";
import { WAITING_LOADED_MAX } from "@winnow/core/domain/run/Decision";
import { decideSubmit } from "@winnow/core/domain/run/Submission";
import { Store } from "@winnow/core/ports/Store";
import { sampleAccount, sampleSubmit } from "@winnow/testing/samples/samples";
import * as Effect from "effect/Effect";
import { benchStore } from "./BenchStore.ts";
import { median, timed } from "./timing.ts";

const [rounds = 21] = process.argv.slice(2).map(Number);
const SUBMITS_PER_ROUND = 20;
const SLOTS = 2;

const submit = (accountId: string) =>
  Store.use((store) => store.transact(accountId, decideSubmit(sampleSubmit(accountId))));

/** An account with both slots taken and this many waiting runs. */
const openAccount = Effect.fnUntraced(function* (waiting: number) {
  // The rounds add to the waiting runs.
  const limits = { waitingMax: 10 * WAITING_MAX_DEFAULT };
  const account = sampleAccount({ balance: 1_000_000_000, limits });
  yield* Store.use((store) => store.createAccount(account));
  yield* Effect.forEach(Array.from({ length: SLOTS + waiting }), () => submit(account.id), { discard: true });
  return account.id;
});

/** One submit for each account. */
const submits = (accounts: ReadonlyArray<string>) =>
  timed(Effect.forEach(accounts, submit, { discard: true }));

const openEmpty = Effect.all(Array.from({ length: SUBMITS_PER_ROUND }, () => openAccount(0)));

const program = Effect.gen(function* () {
  const quiet = yield* benchStore;
  const busy = yield* benchStore;
  const crowded = yield* Effect.provideContext(openAccount(WAITING_MAX_DEFAULT), busy);
  const some = yield* Effect.provideContext(openAccount(WAITING_LOADED_MAX), busy);
  const itself = (account: string) => Array.from({ length: SUBMITS_PER_ROUND }, () => account);
  const own: Array<number> = [];
  const more: Array<number> = [];
  const others: Array<number> = [];
  for (let round = 0; round <= rounds; round++) {
    const alone = yield* Effect.provideContext(Effect.flatMap(openEmpty, submits), quiet);
    const beside = yield* Effect.provideContext(Effect.flatMap(openEmpty, submits), busy);
    const behindSome = yield* Effect.provideContext(submits(itself(some)), busy);
    const behind = yield* Effect.provideContext(submits(itself(crowded)), busy);
    if (round === 0) continue; // warms up
    more.push(behind / behindSome);
    own.push(behind / beside);
    others.push(beside / alone);
  }
  console.log(`behind 1,000, against some: median ratio ${median(more).toFixed(2)} (budget 1.10)`);
  console.log(`behind 1,000 of its own: median ratio ${median(own).toFixed(2)} (budget 1.10)`);
  console.log(`beside 1,000 of another: median ratio ${median(others).toFixed(2)} (budget 1.10)`);
});

await Effect.runPromise(Effect.scoped(program));
