/**
 * How all tests of the workspace run: with real programs, so few at a time, and with time limits that allow for a
 * busy machine. The first line of a test file says when and how:
 *
 * - no tag: it is quick, under three seconds, because it starts no program, database or browser;
 * - `// @module-tag long`: longer; `npm test -- --quick` leaves it out; `long: its own server, why` if the one of the
 *   run will not do;
 * - `// @module-tag alone: why`: long, and it has a process of its own;
 * - `// @module-tag faults: why`: it kills, cuts off, freezes, outlasts or installs, and needs minutes; only
 *   `npm run test:faults` runs it;
 * - `// @module-tag smoke: why`: the same, but `npm test` runs it too, with the small counts that it has for that
 *   (it asks `WINNOW_TEST_FAULTS`); `smoke: its own process, why` if it must not share one then.
 *
 * Quick, long and smoke files share processes, because half the time of a quick one is loading modules that the one
 * before has loaded: they leave nothing behind (no variable, no clock, no listener) and measure neither memory nor
 * turns of the event loop. Vitest runs projects in the order of their names, and the files of each by what they took
 * last time, the longest first: the quick ones fill the rest.
 */
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

const ROOT = path.resolve(import.meta.dirname, "..");
const PLACES = ["packages/*/test/**/*.test.ts", "examples/test/**/*.test.ts", "scripts/test/**/*.test.ts"];

const ALONE_SMOKE = "smoke: its own process";

const tagOf = (text: string): string =>
  text.startsWith(`// @module-tag ${ALONE_SMOKE}`)
    ? ALONE_SMOKE
    : (/^\/\/ @module-tag ([a-z]+)\b/u.exec(text)?.[1] ?? "quick");

/** The test files of the workspace, by path from its root. */
export const files = globSync(PLACES, { cwd: ROOT }).map((name) => ({
  name,
  tag: tagOf(readFileSync(path.join(ROOT, name), "utf8"))
}));

const project = (name: string, tags: ReadonlyArray<string>, options = {}) => ({
  extends: true as const,
  test: {
    name,
    include: files.filter(({ tag }) => tags.includes(tag)).map((file) => file.name),
    isolate: false,
    ...options
  }
});

// Test files, their programs and worker threads load the same modules, which are compiled once and then cached.
process.env["NODE_COMPILE_CACHE"] ??= path.join(
  process.env["WINNOW_TEST_FOLDER"] ?? tmpdir(),
  "winnow-test-compile-cache"
);

/** What a test makes is soon garbage: with V8's 16 MB for what is new, collecting it takes a twentieth of the time. */
const MORE_YOUNG = { execArgv: ["--max-semi-space-size=32"] };

/**
 * More than the two processors of the smallest machine, because a slow test waits half of its time: for a program to
 * start, for a heartbeat to stop, or for a network.
 */
export const WORKERS_MAX = 5;

export default defineConfig({
  root: ROOT,
  test: {
    globalSetup: [
      "packages/adapters/test/database/store/PostgresBroker.ts",
      "packages/adapters/test/faults/ChildBroker.ts",
      "packages/adapters/test/sources/site/MediaBroker.ts",
      "packages/server/test/ProgramBroker.ts",
      "packages/dashboard/test/BrowserBroker.ts",
      "examples/test/SampleMediaBroker.ts",
      "examples/test/ServerBroker.ts"
    ],
    setupFiles: ["scripts/testFolder.ts"],
    // Passing tests print nothing; failing ones print their own logs.
    silent: "passed-only",
    pool: "forks",
    maxWorkers: WORKERS_MAX,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    tags: ["long", "alone", "faults", "smoke"].map((name) => ({ name })),
    projects: [
      project("alone", ["alone", ALONE_SMOKE], { isolate: true }),
      project("long", ["long", "smoke"], MORE_YOUNG),
      project("quick", ["quick"], MORE_YOUNG),
      project("faults", ["faults", "smoke", ALONE_SMOKE], {
        isolate: true,
        env: { WINNOW_TEST_FAULTS: "1" }
      })
    ]
  }
});
