/**
 * Every port that a database stands behind, in memory: gone with the process.
 */
import * as Layer from "effect/Layer";
import * as MemoryJobQueue from "./MemoryJobQueue.ts";
import * as MemoryRateLimits from "./MemoryRateLimits.ts";
import * as MemoryRunFeed from "./MemoryRunFeed.ts";
import * as MemorySchemaLibrary from "./MemorySchemaLibrary.ts";
import * as MemorySessions from "./MemorySessions.ts";
import * as MemoryStore from "./MemoryStore.ts";

/** Store, JobQueue, SchemaLibrary, WebhookEndpoints, WebhookOutbox, Sessions, RateLimits and RunFeed. */
export const layer = Layer.mergeAll(
  MemorySchemaLibrary.layer.pipe(
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(MemoryJobQueue.layer)
  ),
  MemorySessions.layer,
  MemoryRateLimits.layer,
  MemoryRunFeed.layer
);
