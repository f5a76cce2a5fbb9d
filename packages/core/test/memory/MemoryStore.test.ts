import * as Layer from "effect/Layer";
import * as MemoryJobQueue from "../../src/memory/MemoryJobQueue.ts";
import * as MemoryStore from "../../src/memory/MemoryStore.ts";
import { suite } from "@winnow/testing/suites/store/StoreSuite";

suite("memory", Layer.provideMerge(MemoryStore.layer, MemoryJobQueue.layer));
