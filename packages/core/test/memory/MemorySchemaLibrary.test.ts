import * as Layer from "effect/Layer";
import * as MemoryJobQueue from "../../src/memory/MemoryJobQueue.ts";
import * as MemorySchemaLibrary from "../../src/memory/MemorySchemaLibrary.ts";
import * as MemoryStore from "../../src/memory/MemoryStore.ts";
import { suite } from "@winnow/testing/suites/SchemaLibrarySuite";

suite(
  "memory",
  Layer.provideMerge(MemorySchemaLibrary.layer, Layer.provide(MemoryStore.layer, MemoryJobQueue.layer))
);
