import { layer } from "../../src/memory/MemoryRunFeed.ts";
import { suite } from "@winnow/testing/suites/RunFeedSuite";

suite("memory", layer);
