/**
 * Everything `npm test` checks: types, lint with the layer rules, format, repository rules, freshness of
 * generated files, and every test, real programs and real PostgreSQL included. Ends with one line of counts.
 *
 *   npm test                     all of it, but for what needs minutes (scripts/vitest.config.ts)
 *   npm test -- --quick          the checks, and the tests that start no program, database or browser
 *   npm test -- PATH [PATH …]    only the tests under these paths
 *   npm run test:faults          what needs minutes: also as npm test -- --faults [PATH …]
 *
 * `-u` writes snapshots again.
 *
 * It fails as well if it takes or leaves more than it may (scripts/budgets.ts).
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import {
  folderNameOf,
  judgeMinutes,
  leftIn,
  makeRunFolder,
  makeTemporary,
  timed,
  TOLERANCE,
  whenIdle
} from "./budgets.ts";
import { env, runChecks, TYPES } from "./checks.ts";
import { ROOT } from "./repository.ts";
import { hand } from "./setup/commands.mjs";
import { files as testFiles, WORKERS_MAX } from "./vitest.config.ts";

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

/** The temporary folder of the whole run: one for each test file (scripts/testFolder.ts), and what they share. */
const FOLDER = makeRunFolder();
/** That of vitest itself, for what is made once. */
const OWN_FOLDER = makeTemporary(path.join(FOLDER, "own"));

/** The report is null when there is none. */
const runTests = async (args: ReadonlyArray<string>): Promise<{ status: number; report: Report | null }> => {
  const file = path.join(FOLDER, "report.json");
  // Into a pipe, dots would be one line of kilobytes.
  const reporters = process.stdout.isTTY ? ["dot"] : ["minimal", "./scripts/progress.ts"];
  const all = ["run", "--config", "scripts/vitest.config.ts", `--outputFile.json=${file}`];
  const status: number = await hand(
    "vitest",
    [...all, ...[...reporters, "json"].map((reporter) => `--reporter=${reporter}`), ...args],
    { cwd: ROOT, env: { ...env, TMPDIR: OWN_FOLDER, WINNOW_TEST_FOLDER: FOLDER } }
  );
  try {
    return { status, report: JSON.parse(readFileSync(file, "utf8")) as Report };
  } catch {
    return { status, report: null };
  } finally {
    rmSync(file, { force: true });
  }
};

/** Whether its process died: no test failed, and some had not run yet. */
const hasCrashed = ({ status, message, assertionResults }: FileReport): boolean =>
  status === "failed" &&
  message === "" &&
  assertionResults.some((test) => test.status === "pending") &&
  !assertionResults.some((test) => test.status === "failed");

interface Results extends Counts {
  readonly files: ReadonlyArray<FileReport>;
}

/**
 * Node itself occasionally crashes when worker threads end and start (nodejs/node#56312).
 * A file whose process died is run once more, on its own, and must pass then.
 */
const testResults = async (args: ReadonlyArray<string>, isFirst = true): Promise<Results> => {
  const { status, report } = await runTests(args);
  if (report === null) return { passed: 0, failed: 1, files: [] };
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults: files } = report;
  const crashed = isFirst ? files.filter(hasCrashed).map(({ name }) => name) : [];
  if (crashed.length > 0) {
    for (const name of crashed) console.log(`\nThe process of ${path.relative(ROOT, name)} died: once more.`);
    const again = await testResults(crashed, false);
    return { passed: numPassedTests + again.passed, failed: numFailedTests + again.failed, files };
  }
  // A file that does not load has no failing tests, and errors outside tests only fail the run.
  const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
  return { passed: numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed, files };
};

/** What a quick file may take, alone on an idle machine. */
const QUICK_FILE_MS_MAX = 3_000;

/** A file beside others has its part of a processor. */
const BESIDE = Math.max(1, WORKERS_MAX / availableParallelism());

const isSlow =
  (factor: number) =>
  ({ name, startTime, endTime }: FileReport): boolean =>
    endTime - startTime > QUICK_FILE_MS_MAX * factor &&
    !readFileSync(name, "utf8").startsWith("// @module-tag ");

/** Those that are slow again, one at a time; none if others use the machine. */
const slowAlone = async (files: ReadonlyArray<FileReport>): Promise<ReadonlyArray<FileReport>> => {
  if (files.length === 0) return [];
  const names = files.map(({ name }) => name);
  const again = ["--project", "quick", "--maxWorkers=1", ...names];
  return (await whenIdle(async () => (await testResults(again)).files.filter(isSlow(TOLERANCE)))) ?? [];
};

/** Beside others nearly all are slow. */
const slowFiles = async (files: ReadonlyArray<FileReport>): Promise<ReadonlyArray<string>> =>
  (await slowAlone(await slowAlone(files.filter(isSlow(BESIDE))))).map(
    ({ name }) =>
      `${path.relative(ROOT, name)} took far longer than ${QUICK_FILE_MS_MAX / 1_000} s twice: // @module-tag long`
  );

const leftovers = (files: ReadonlyArray<FileReport>): ReadonlyArray<string> => [
  ...leftIn(OWN_FOLDER, "Making what tests share"),
  ...files.flatMap(({ name }) => leftIn(path.join(FOLDER, folderNameOf(name)), path.relative(ROOT, name)))
];

/** What a whole run may take on two idle cores, once set up. */
const SECONDS_MAX = { quick: 90, all: 480, faults: 1_200 };

const fail = (why: string): never => {
  rmSync(FOLDER, { recursive: true, force: true });
  console.error(why);
  process.exit(2);
};

const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: "boolean", default: false },
        faults: { type: "boolean", default: false },
        update: { type: "boolean", default: false, short: "u" }
      }
    });
  } catch (error) {
    return fail((error as Error).message);
  }
};

const { positionals: paths, values } = readArguments();
const kind = values.quick ? "quick" : values.faults ? "faults" : "all";
const projects = kind === "all" ? ["alone", "long", "quick"] : [kind];

const isWhole = paths.length === 0;

/** The tags that each command runs; files without one are quick. */
const TAGS = {
  quick: ["quick"],
  all: ["quick", "long", "alone", "smoke"],
  faults: ["faults", "smoke"]
};
const COMMANDS = { quick: "npm test -- --quick", all: "npm test --", faults: "npm run test:faults --" };
// Vitest would list the names of all files that it has.
for (const each of paths) {
  const part = path.normalize(each.replace(/:\d+$/u, ""));
  const there = testFiles.flatMap(({ name, tag }) =>
    path.join(ROOT, name).includes(part) ? [tag.replace(/:.*$/u, "")] : []
  );
  if (there.some((tag) => TAGS[kind].includes(tag))) continue;
  const other = (["all", "faults"] as const).find((name) => there.some((tag) => TAGS[name].includes(tag)));
  fail(
    other === undefined
      ? `${each}: no test file of this name, or its first line has no tag of scripts/vitest.config.ts`
      : `${each} is run by: ${COMMANDS[other]} ${each}`
  );
}

// Vitest would take a path after `--update` for what to update.
const chosen = [
  ...projects.map((name) => `--project=${name}`),
  ...paths,
  ...(values.update ? ["--update"] : [])
];
const runAll = async () => ({
  checks: isWhole && kind !== "faults" ? await runChecks() : [],
  tests: await testResults(chosen)
});
// What the compiler writes last: a clean clone does not have it.
const isCompiled = existsSync(path.join(ROOT, "scripts/dist"));
const whole = isWhole ? await timed(runAll) : null;
const { checks, tests } = whole?.value ?? (await runAll());
const types = isCompiled ? undefined : checks.find(({ name }) => name === TYPES);
const minutes =
  whole === null ? null : judgeMinutes({ ...whole, typesSeconds: types?.seconds ?? null }, SECONDS_MAX[kind]);
const broken = [...leftovers(tests.files), ...(await slowFiles(tests.files))];
// The database of a run that was stopped may still write.
rmSync(FOLDER, { recursive: true, force: true, maxRetries: 5 });
for (const line of broken) console.log(line);
const passed = tests.passed + checks.filter(({ isFine }) => isFine).length;
const isLate = minutes?.isBroken === true;
const failed =
  tests.failed + checks.filter(({ isFine }) => !isFine).length + broken.length + (isLate ? 1 : 0);
if (minutes !== null) console.log(`\n${minutes.line}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
