/**
 * What every implementation of Store promises.
 *
 * The layer includes the Store and the JobQueue it enqueues on; the suite is that queue's only worker.
 */
import { layer as withLayer } from "@effect/vitest";
import * as Layer from "effect/Layer";
import type { JobQueue } from "@winnow/core/ports/JobQueue";
import type { Store } from "@winnow/core/ports/Store";
import { refunds, submits } from "./StoreMoney.ts";
import { apiKeys, counts, lists, reuse, stalled, waiting } from "./StoreReads.ts";
import { searches, usage } from "./StoreSearches.ts";
import { deletions } from "./StoreRemovals.ts";
import { refusals, rows } from "./StoreRows.ts";
import { jobs, slots } from "./StoreSlots.ts";
import { type StoreTests } from "../../samples/storeSteps.ts";
import { TakenJobs } from "../../samples/TakenJobs.ts";

const PARTS: ReadonlyArray<(it: StoreTests) => void> = [
  submits,
  refunds,
  slots,
  jobs,
  rows,
  refusals,
  lists,
  searches,
  usage,
  reuse,
  stalled,
  waiting,
  counts,
  apiKeys,
  deletions
];

export const suite = <E>(name: string, layer: Layer.Layer<Store | JobQueue, E>): void =>
  withLayer(Layer.provideMerge(TakenJobs.layer, layer), { excludeTestServices: true })(
    `Store: ${name}`,
    (it) => {
      for (const part of PARTS) part(it);
    }
  );
