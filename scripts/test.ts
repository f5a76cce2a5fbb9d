/**
 * Everything `npm test` checks: types, lint with the layer rules, format, repository rules, freshness of
 * generated files, and every test, real programs and real PostgreSQL included. Ends with one line of counts.
 *
 *   npm test                     all of it
 *   npm test -- --quick          the checks, and the tests but for the long ones (scripts/vitest.config.ts)
 *   npm test -- PATH [PATH …]    only the tests under these paths
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { env, runChecks } from "./checks.ts";
import { ROOT } from "./repository.ts";

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: ReadonlyArray<{ readonly status: string }>;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: ReadonlyArray<FileReport>;
}

/** Null when there is none. */
const runTests = (args: ReadonlyArray<string>): { status: number | null; report: Report | null } => {
  const folder = mkdtempSync(path.join(tmpdir(), "winnow-test-"));
  const file = path.join(folder, "report.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const all = ["run", "--config", "scripts/vitest.config.ts", ...reporters, ...args];
  const { status } = spawnSync("vitest", all, { cwd: ROOT, env, stdio: "inherit" });
  try {
    return { status, report: JSON.parse(readFileSync(file, "utf8")) as Report };
  } catch {
    return { status, report: null };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Whether its process died: no test failed, and some had not run yet. */
const hasCrashed = ({ status, message, assertionResults }: FileReport): boolean =>
  status === "failed" &&
  message === "" &&
  assertionResults.some((test) => test.status === "pending") &&
  !assertionResults.some((test) => test.status === "failed");

const isTagged = (file: string): boolean => readFileSync(file, "utf8").startsWith("// @module-tag ");

/** A file that takes longer on a quiet machine is tagged. */
const QUICK_FILE_MS_MAX = 3_000;

/** Maximum lines about slow files; on a busy machine nearly all are slow. */
const SLOW_LINES_MAX = 5;

/** For authors of new tests. */
const nameSlowFiles = (files: ReadonlyArray<FileReport>): void => {
  const slow = files
    .map(({ name, startTime, endTime }) => ({ name, durationMs: endTime - startTime }))
    .filter(({ name, durationMs }) => durationMs > QUICK_FILE_MS_MAX && !isTagged(name))
    .toSorted((a, b) => b.durationMs - a.durationMs);
  for (const { name, durationMs } of slow.slice(0, SLOW_LINES_MAX)) {
    const seconds = (durationMs / 1_000).toFixed(1);
    console.log(
      `${path.relative(ROOT, name)} took ${seconds} s. If it does on a quiet machine: // @module-tag long`
    );
  }
};

/**
 * Node itself occasionally crashes when worker threads end and start (nodejs/node#56312).
 * A file whose process died is run once more, on its own, and must pass then.
 */
const testCounts = (args: ReadonlyArray<string>, isFirst = true): Counts => {
  const { status, report } = runTests(args);
  if (report === null) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = report;
  const crashed = isFirst ? testResults.filter(hasCrashed).map(({ name }) => name) : [];
  if (crashed.length > 0) {
    for (const name of crashed) console.log(`\nThe process of ${path.relative(ROOT, name)} died: once more.`);
    const again = testCounts(crashed, false);
    return { passed: numPassedTests + again.passed, failed: numFailedTests + again.failed };
  }
  nameSlowFiles(testResults);
  // A file that does not load has no failing tests, and errors outside tests only fail the run.
  const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
  return { passed: numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
};

const { positionals: paths, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false } }
});
const chosen = values.quick ? ["--project", "quick"] : [];
const checks = paths.length > 0 ? [] : await runChecks();
const tests = testCounts([...chosen, ...paths]);
const passed = tests.passed + checks.filter((ok) => ok).length;
const failed = tests.failed + checks.filter((ok) => !ok).length;
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
