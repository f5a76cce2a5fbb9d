/**
 * A process whose objects live just long enough to reach the old generation: a ring of objects that are replaced
 * in turn. Reports how many collections of the old generation this took. With the argument `steady`, the heap is
 * limited as in the server.
 */
import { constants, PerformanceObserver } from "node:perf_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { limitHeapGrowth } from "../src/serve.ts";

if (process.argv[2] === "steady") limitHeapGrowth();

/** Sixty megabytes: more than the young generation holds. */
const LIVE = 120_000;
const ENTRIES = 64;
const ROUNDS = 14;
/** Gives V8 time to finish its work. */
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
