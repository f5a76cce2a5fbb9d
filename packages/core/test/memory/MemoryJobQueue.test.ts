import { layer } from "../../src/memory/MemoryJobQueue.ts";
import { suite } from "../../src/testing/JobQueueSuite.ts";

suite("memory", layer);
