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
import { ROOT } from "./repository.ts";

interface Check {
  readonly name: string;
  readonly command: ReadonlyArray<string>;
}

const CHECKS: ReadonlyArray<Check> = [
  { name: "types", command: ["tsc", "-b"] },
  { name: "lint and layers", command: ["oxlint", "--deny-warnings"] },
  { name: "format", command: ["oxfmt", "--check", "."] },
  { name: "repository rules", command: ["node", "scripts/tidy.ts"] },
  { name: "openapi.json is fresh", command: ["node", "scripts/reference/printed.ts", "openapi", "--check"] },
  {
    name: "client types are fresh",
    command: ["node", "scripts/reference/printed.ts", "client:generate", "--check"]
  },
  { name: "docs/reference/http.md is fresh", command: ["node", "scripts/reference/http.ts", "--check"] },
  {
    name: "docs/reference/cli.md is fresh",
    command: ["node", "scripts/reference/printed.ts", "reference:cli", "--check"]
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

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: ReadonlyArray<{ readonly status: string }>;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: ReadonlyArray<FileReport>;
}

/** Null when there is none. */
const runTests = (paths: ReadonlyArray<string>): { status: number | null; report: Report | null } => {
  const folder = mkdtempSync(path.join(tmpdir(), "winnow-test-"));
  const file = path.join(folder, "report.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const args = ["run", "--config", "scripts/vitest.config.ts", ...reporters, ...paths];
  const { status } = spawnSync("vitest", args, { cwd: ROOT, env, stdio: "inherit" });
  try {
    return { status, report: JSON.parse(readFileSync(file, "utf8")) as Report };
  } catch {
    return { status, report: null };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Its process died under it: nothing in it failed or was skipped for it, and something was still to come. */
const hasCrashed = ({ status, message, assertionResults }: FileReport): boolean =>
  status === "failed" &&
  message === "" &&
  assertionResults.some((test) => test.status === "pending") &&
  !assertionResults.some((test) => test.status === "failed");

/**
 * Node itself crashes now and then when worker threads end and start (nodejs/node#56312; see also WorkerPool).
 * A file whose process died is run once more, by itself, and has to pass then.
 */
const testCounts = (paths: ReadonlyArray<string>, isFirst = true): Counts => {
  const { status, report } = runTests(paths);
  if (report === null) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = report;
  const crashed = isFirst ? testResults.filter(hasCrashed).map(({ name }) => name) : [];
  if (crashed.length > 0) {
    for (const name of crashed) console.log(`\nThe process of ${path.relative(ROOT, name)} died: once more.`);
    const again = testCounts(crashed, false);
    return { passed: numPassedTests + again.passed, failed: numFailedTests + again.failed };
  }
  // A file that does not load has no tests to fail, and errors outside tests fail the run alone.
  const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
  return { passed: numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
};

const paths = process.argv.slice(2);
const checks = paths.length > 0 ? [] : CHECKS.map(passes);
const tests = testCounts(paths);
const passed = tests.passed + checks.filter((ok) => ok).length;
const failed = tests.failed + checks.filter((ok) => !ok).length;
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
