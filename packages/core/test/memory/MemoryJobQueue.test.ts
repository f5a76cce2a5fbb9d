import { layer } from "../../src/memory/MemoryJobQueue.ts";
import { suite } from "@winnow/testing/suites/JobQueueSuite";

suite("memory", layer);
