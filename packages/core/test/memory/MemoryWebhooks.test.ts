import * as Layer from "effect/Layer";
import * as MemoryJobQueue from "../../src/memory/MemoryJobQueue.ts";
import * as MemoryStore from "../../src/memory/MemoryStore.ts";
import { suite as endpoints } from "../../src/testing/WebhookEndpointsSuite.ts";
import { suite as outbox } from "../../src/testing/WebhookOutboxSuite.ts";

const layer = Layer.provide(MemoryStore.layer, MemoryJobQueue.layer);

endpoints("memory", layer);
outbox("memory", layer);
