import { layer } from "../../src/memory/MemoryDatabase.ts";
import { suite } from "@winnow/testing/suites/RateLimitsSuite";

suite("memory", layer);
