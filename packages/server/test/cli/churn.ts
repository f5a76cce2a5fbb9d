/**
 * A process whose objects live just long enough to grow old: a ring of them, each replaced in its turn. Tells how many
 * collections of the old generation that took. With the argument `steady` as the server does it.
 */
import { constants, PerformanceObserver } from "node:perf_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { limitHeapGrowth } from "../../src/cli/heapGrowth.ts";

if (process.argv[2] === "steady") limitHeapGrowth();

/** Sixty megabytes: more than the young generation holds. */
const LIVE = 120_000;
const ENTRIES = 64;
const ROUNDS = 14;
/** In between, V8 may finish what it has begun. */
const TURN_EVERY = 5_000;

let collections = 0;
const observer = new PerformanceObserver((list) => {
  const entries = list.getEntries() as unknown as ReadonlyArray<{
    readonly detail: { readonly kind: number };
  }>;
  for (const { detail } of entries) {
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
  }
});
observer.observe({ entryTypes: ["gc"] });

const template = Array.from({ length: ENTRIES }, (_, number) => number);
const ring = Array.from({ length: LIVE }, () => template.slice());
for (let number = 0; number < ROUNDS * LIVE; number += 1) {
  ring[number % LIVE] = template.slice();
  if (number % TURN_EVERY === 0) await turn();
}
await turn();
process.stdout.write(String(collections));
