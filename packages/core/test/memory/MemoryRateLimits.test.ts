import { layer } from "../../src/memory/MemoryRateLimits.ts";
import { suite } from "@winnow/testing/suites/RateLimitsSuite";

suite("memory", layer);
