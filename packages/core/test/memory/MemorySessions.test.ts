import * as Layer from "effect/Layer";
import * as MemoryJobQueue from "../../src/memory/MemoryJobQueue.ts";
import * as MemorySessions from "../../src/memory/MemorySessions.ts";
import * as MemoryStore from "../../src/memory/MemoryStore.ts";
import { suite } from "@winnow/testing/suites/SessionsSuite";

suite("memory", Layer.merge(MemorySessions.layer, Layer.provide(MemoryStore.layer, MemoryJobQueue.layer)));
