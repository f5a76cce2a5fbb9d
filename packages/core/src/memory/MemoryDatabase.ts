/**
 * In-memory implementations of all ports that a database implements; their data is lost when the process ends.
 * Tests: the examples' adapters.test.ts.
 */
import * as Layer from "effect/Layer";
import type { JobQueue } from "../ports/JobQueue.ts";
import * as MemoryJobQueue from "./MemoryJobQueue.ts";
import * as MemoryRateLimits from "./MemoryRateLimits.ts";
import * as MemoryRunFeed from "./MemoryRunFeed.ts";
import * as MemorySchemaLibrary from "./MemorySchemaLibrary.ts";
import * as MemorySessions from "./MemorySessions.ts";
import * as MemoryStore from "./MemoryStore.ts";

/** All of them with your own JobQueue, on which the Store enqueues jobs. */
export const layerOn = <E>(queue: Layer.Layer<JobQueue, E>) =>
  Layer.mergeAll(
    Layer.mergeAll(MemorySchemaLibrary.layer, MemoryRateLimits.layer).pipe(
      Layer.provideMerge(MemoryStore.layer),
      Layer.provideMerge(queue)
    ),
    MemorySessions.layer,
    MemoryRunFeed.layer
  );

/** Store, JobQueue, SchemaLibrary, WebhookEndpoints, WebhookOutbox, Sessions, RateLimits and RunFeed. */
export const layer = layerOn(MemoryJobQueue.layer);
