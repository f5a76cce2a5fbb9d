/**
 * Every port that a database stands behind, in memory: gone with the process.
 */
import * as Layer from "effect/Layer";
import type { JobQueue } from "../ports/JobQueue.ts";
import * as MemoryJobQueue from "./MemoryJobQueue.ts";
import * as MemoryRateLimits from "./MemoryRateLimits.ts";
import * as MemoryRunFeed from "./MemoryRunFeed.ts";
import * as MemorySchemaLibrary from "./MemorySchemaLibrary.ts";
import * as MemorySessions from "./MemorySessions.ts";
import * as MemoryStore from "./MemoryStore.ts";

/** All of them around a JobQueue of yours, which the Store tells of jobs. */
export const layerOn = <E>(queue: Layer.Layer<JobQueue, E>) =>
  Layer.mergeAll(
    MemorySchemaLibrary.layer.pipe(Layer.provideMerge(MemoryStore.layer), Layer.provideMerge(queue)),
    MemorySessions.layer,
    MemoryRateLimits.layer,
    MemoryRunFeed.layer
  );

/** Store, JobQueue, SchemaLibrary, WebhookEndpoints, WebhookOutbox, Sessions, RateLimits and RunFeed. */
export const layer = layerOn(MemoryJobQueue.layer);
