/**
 * Everything `npm test` checks: types, lint with the layer rules, format, repository rules, freshness of
 * generated files, and every test, real programs and real PostgreSQL included. Ends with one line of counts.
 *
 *   npm test                     all of it
 *   npm test -- PATH [PATH …]    only the tests under these paths
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");

interface Check {
  readonly name: string;
  readonly command: ReadonlyArray<string>;
}

const CHECKS: ReadonlyArray<Check> = [
  { name: "types", command: ["tsc", "-b"] },
  { name: "lint and layers", command: ["oxlint", "--deny-warnings"] },
  { name: "format", command: ["oxfmt", "--check", "."] },
  { name: "repository rules", command: ["node", "scripts/tidy.ts"] },
  { name: "openapi.json is fresh", command: ["node", "packages/server/scripts/openapi.ts", "--check"] },
  { name: "client types are fresh", command: ["node", "packages/client/scripts/generate.ts", "--check"] },
  { name: "docs/reference/http.md is fresh", command: ["node", "scripts/reference/http.ts", "--check"] },
  {
    name: "docs/reference/cli.md is fresh",
    command: ["node", "packages/server/scripts/cliReference.ts", "--check"]
  },
  { name: "docs/reference/client.md is fresh", command: ["node", "scripts/reference/client.ts", "--check"] },
  {
    name: "docs/decisions/README.md is fresh",
    command: ["node", "scripts/reference/decisions.ts", "--check"]
  },
  { name: "links of the docs", command: ["node", "scripts/links.ts"] },
  { name: "code of the docs is code of the examples", command: ["node", "scripts/docs.ts"] }
];

const env = {
  ...process.env,
  PATH: `${path.join(ROOT, "node_modules/.bin")}${path.delimiter}${process.env.PATH}`
};

const passes = ({ name, command: [program = "", ...args] }: Check): boolean => {
  const startedAt = performance.now();
  const { status } = spawnSync(program, args, { cwd: ROOT, env, stdio: "inherit" });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  return status === 0;
};

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const testCounts = (paths: ReadonlyArray<string>): Counts => {
  const folder = mkdtempSync(path.join(tmpdir(), "winnow-test-"));
  const report = path.join(folder, "report.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  const { status } = spawnSync(
    "vitest",
    ["run", "--config", "scripts/vitest.config.ts", ...reporters, ...paths],
    {
      cwd: ROOT,
      env,
      stdio: "inherit"
    }
  );
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
      readFileSync(report, "utf8")
    ) as {
      numPassedTests: number;
      numFailedTests: number;
      numFailedTestSuites: number;
    };
    // A file that does not load has no tests to fail, and errors outside tests fail the run alone.
    const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
    return { passed: numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const paths = process.argv.slice(2);
const checks = paths.length > 0 ? [] : CHECKS.map(passes);
const tests = testCounts(paths);
const passed = tests.passed + checks.filter((ok) => ok).length;
const failed = tests.failed + checks.filter((ok) => !ok).length;
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
