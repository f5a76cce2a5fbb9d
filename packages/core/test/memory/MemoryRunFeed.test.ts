import { layer } from "../../src/memory/MemoryRunFeed.ts";
import { suite } from "../../src/testing/RunFeedSuite.ts";

suite("memory", layer);
