/** Plans replaced while runs wait: raised limits apply at once, also for idle accounts. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { plansFrom } from "../../../src/domain/money/Plan.ts";
import * as AccountPlans from "../../../src/engine/accounts/AccountPlans.ts";
import { JobQueue } from "../../../src/ports/JobQueue.ts";
import { replaceablePlans } from "../../../src/ports/Plans.ts";
import { openAccount, read, submit, VIDEO, world } from "../World.ts";

const tableOf = (runningMax: number) => plansFrom({ default: { runningMax } });

const statuses = (accountId: string, ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => Effect.map(read(accountId, id), ({ status }) => status));

/** Resolves once this many jobs are waiting; yields between checks. */
const jobs = (count: number) =>
  JobQueue.use(({ depth }) =>
    Effect.repeat(Effect.andThen(Effect.yieldNow, depth), { until: ({ waiting }) => waiting === count })
  );

const submitted = (accountId: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(submit(accountId, { url: VIDEO, force: true }), ({ extraction }) => extraction.id)
  );

describe("replaced plans", () => {
  it.effect("start waiting runs of every account up to a raised limit, with one job each", () =>
    Effect.suspend(() => {
      const plans = replaceablePlans(tableOf(2));
      return Effect.gen(function* () {
        const accounts = yield* Effect.forEach([1, 2, 3], () => openAccount());
        const runs = yield* Effect.forEach(accounts, (account) => submitted(account, 12));
        yield* jobs(6);
        plans.replace(tableOf(10), 0);
        yield* jobs(30);
        for (const [index, account] of accounts.entries()) {
          assert.deepStrictEqual(yield* statuses(account, runs[index] ?? []), [
            ...Array<"pending">(10).fill("pending"),
            ...Array<"queued">(2).fill("queued")
          ]);
        }
      }).pipe(Effect.provide(Layer.provideMerge(AccountPlans.layer, world({ plans }))));
    })
  );

  it.effect("do not touch running and waiting runs if a limit is lowered", () =>
    Effect.suspend(() => {
      const plans = replaceablePlans(tableOf(2));
      return Effect.gen(function* () {
        const account = yield* openAccount();
        const runs = yield* submitted(account, 4);
        plans.replace(tableOf(1), 0);
        plans.replace(tableOf(3), 0);
        yield* jobs(3);
        assert.deepStrictEqual(yield* statuses(account, runs), ["pending", "pending", "pending", "queued"]);
      }).pipe(Effect.provide(Layer.provideMerge(AccountPlans.layer, world({ plans }))));
    })
  );

  it.effect("apply to runs that were waiting before the process started", () =>
    Effect.gen(function* () {
      const plans = replaceablePlans(tableOf(2));
      yield* Effect.gen(function* () {
        const account = yield* openAccount();
        const runs = yield* submitted(account, 4);
        plans.replace(tableOf(4), 0);
        yield* Effect.scoped(Effect.andThen(Layer.build(AccountPlans.layer), jobs(4)));
        assert.deepStrictEqual(yield* statuses(account, runs), Array<"pending">(4).fill("pending"));
      }).pipe(Effect.provide(world({ plans })));
    })
  );
});
