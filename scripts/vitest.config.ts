/**
 * How every test of the workspace runs: real programs, so few at once, and with time to start on a machine whose
 * processors others may want too.
 */
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./LongestFirst.ts";
import { SLOW_TESTS } from "./slowTests.ts";

const ALL = ["packages/*/test/**/*.test.ts", "examples/test/**/*.test.ts", "scripts/test/**/*.test.ts"];
const SLOW = SLOW_TESTS.flatMap((place) =>
  place.endsWith(".test.ts") ? [place] : [`${place}/**/*.test.ts`]
);

// Test files, the programs that they start and their worker threads load the same modules: compiled once, then read.
process.env["NODE_COMPILE_CACHE"] ??= path.join(tmpdir(), "winnow-test-compile-cache");

export default defineConfig({
  root: path.resolve(import.meta.dirname, ".."),
  test: {
    globalSetup: [
      "packages/adapters/test/postgres/PostgresBroker.ts",
      "packages/adapters/test/download/site/MediaBroker.ts"
    ],
    // A test that passes prints nothing; one that fails prints its own logs.
    silent: "passed-only",
    pool: "forks",
    // More than the two processors of the smallest machine: half of its time a slow test waits, for a program that
    // starts, a heartbeat that stops or a network.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 300_000,
    projects: [
      // Share processes: half the time of a quick file is loading what the one before it loaded already.
      { extends: true, test: { name: "quick", include: ALL, exclude: SLOW, isolate: false } },
      // Servers, browsers and programs: a process each, so that none inherits what another left.
      { extends: true, test: { name: "slow", include: SLOW } }
    ]
  }
});
