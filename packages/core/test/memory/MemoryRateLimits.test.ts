import { layer } from "../../src/memory/MemoryRateLimits.ts";
import { suite } from "../../src/testing/RateLimitsSuite.ts";

suite("memory", layer);
