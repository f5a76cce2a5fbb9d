/**
 * How all tests of the workspace run: with real programs, so few at a time, and with time limits that allow for a
 * busy machine.
 */
import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./LongestFirst.ts";
import { isSharingTest, isSlowTest } from "./slowTests.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const PLACES = ["packages/*/test/**/*.test.ts", "examples/test/**/*.test.ts", "scripts/test/**/*.test.ts"];

const files = globSync(PLACES, { cwd: ROOT }).map((file) => file.replaceAll(path.sep, "/"));
const [slow = [], quick = []] = [true, false].map((is) => files.filter((file) => isSlowTest(file) === is));
const [sharing = [], alone = []] = [true, false].map((is) =>
  slow.filter((file) => isSharingTest(file) === is)
);

// Test files, their programs and worker threads load the same modules, which are compiled once and then cached.
process.env["NODE_COMPILE_CACHE"] ??= path.join(tmpdir(), "winnow-test-compile-cache");

export default defineConfig({
  root: ROOT,
  test: {
    globalSetup: [
      "packages/adapters/test/database/store/PostgresBroker.ts",
      "packages/adapters/test/faults/ChildBroker.ts",
      "packages/adapters/test/sources/site/MediaBroker.ts",
      "packages/server/test/ProgramBroker.ts",
      "examples/test/SampleMediaBroker.ts"
    ],
    // Passing tests print nothing; failing ones print their own logs.
    silent: "passed-only",
    pool: "forks",
    // More than the two processors of the smallest machine, because a slow test waits half of its time: for a
    // program to start, for a heartbeat to stop, or for a network.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 300_000,
    projects: [
      // Processes are shared: half the time of a quick file is loading modules that the previous file already
      // loaded.
      { extends: true, test: { name: "quick", include: quick, isolate: false } },
      { extends: true, test: { name: "sharing", include: sharing, isolate: false } },
      // One process each: see ALONE_TESTS.
      { extends: true, test: { name: "slow", include: alone } }
    ]
  }
});
