import * as Layer from "effect/Layer";
import * as MemoryJobQueue from "../../src/memory/MemoryJobQueue.ts";
import * as MemoryStore from "../../src/memory/MemoryStore.ts";
import { suite as endpoints } from "@winnow/testing/suites/WebhookEndpointsSuite";
import { suite as outbox } from "@winnow/testing/suites/WebhookOutboxSuite";

const layer = Layer.provide(MemoryStore.layer, MemoryJobQueue.layer);

endpoints("memory", layer);
outbox("memory", layer);
