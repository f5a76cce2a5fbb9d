/**
 * How every test of the workspace runs: real programs, so few at once, and with time to start on a machine whose
 * processors others may want too.
 */
import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: path.resolve(import.meta.dirname, ".."),
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    globalSetup: ["packages/adapters/test/postgres/PostgresBroker.ts"],
    // A test that passes prints nothing; one that fails prints its own logs.
    silent: "passed-only",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 300_000
  }
});
