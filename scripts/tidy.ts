/** Repository rules that no linter checks. Exit code 1, and one line per violation. */
import path from "node:path";
import { goneArrows, newArrows } from "./arrows.ts";
import { foldersInCircles } from "./circles.ts";
import { filesOf, PACKAGES, read } from "./repository.ts";

const FILE_LINES_MAX = 400;
const FORBIDDEN_NAMES = /^(?:utils?|helpers?|common|lib|types|misc)$/iu;
const TOP_LEVEL = new Set([
  "packages",
  "examples",
  "contrib",
  "docs",
  "scripts",
  "package.json",
  "pnpm-workspace.yaml",
  "pnpm-lock.yaml",
  "tsconfig.json",
  "README.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "renovate.json",
  "LICENSE"
]);
/** Dependencies that a package must not declare. */
const FORBIDDEN_DEPENDENCIES: Readonly<Record<string, RegExp>> = {
  core: /^(?!(?:effect|entities)$)/u,
  testing: /^(?!(?:@winnow\/core|effect)$)/u,
  isolation: /^@winnow\/(?!core$)/u,
  pages: /^(?:effect$|@effect\/|@winnow\/(?!core$))/u,
  client: /./u
};

const breaches: Array<string> = [];

const tracked = filesOf();

const isGenerated = (file: string): boolean => file.includes("/generated/") || file.endsWith("openapi.json");
const isCode = (file: string): boolean =>
  /\.(?:ts|tsx|mts|mjs|py|sql|css)$/u.test(file) && !isGenerated(file);

for (const file of tracked) {
  const [top = "", second = ""] = file.split("/");
  if (!top.startsWith(".") && !TOP_LEVEL.has(top))
    breaches.push(`${file}: "${top}" is not a known top-level folder`);
  if (file.endsWith(".d.ts")) breaches.push(`${file}: output of the compiler belongs in dist/`);
  if (top === "packages" && !PACKAGES.includes(second))
    breaches.push(`${file}: "${second}" is not a known package`);
  const names = file.split("/").map((part) => part.replace(/\..*$/u, ""));
  if (!isGenerated(file) && names.some((name) => FORBIDDEN_NAMES.test(name)))
    breaches.push(`${file}: name it after what it contains`);
}

const sources = tracked.filter((file) => isCode(file) && /^packages\/[^/]+\/src\//u.test(file));
for (const file of tracked.filter(isCode)) {
  const lines = read(file).split("\n").length - 1;
  if (lines > FILE_LINES_MAX) breaches.push(`${file}: ${lines} lines, ${FILE_LINES_MAX} at most`);
}
/** `RunWatch.ts`, `fetchSubtitles.ts`, `Button.tsx`; a word after a dot names what runs it. */
const FILE_NAME = /^(?<name>[A-Za-z][A-Za-z0-9]*)(?:\.[a-z]+)?\.tsx?$/u;
const CLASS = /^(?:export )?(?:abstract )?class /mu;

for (const file of sources.filter((each) => /\.tsx?$/u.test(each))) {
  const base = path.posix.basename(file);
  if (!FILE_NAME.test(base)) breaches.push(`${file}: spell it in PascalCase or camelCase`);
  // The client uses camelCase throughout, like its exports.
  if (/^[a-z]/u.test(base) && !file.startsWith("packages/client/") && CLASS.test(read(file)))
    breaches.push(`${file}: it owns a class, so spell it in PascalCase`);
  const folders = path.posix.dirname(file).split("/");
  if (folders.some((folder) => /[A-Z_]/u.test(folder))) breaches.push(`${file}: spell folders in kebab-case`);
}

for (const file of sources) {
  const text = read(file);
  if (/\.tsx?$/u.test(file) && !/^(?:#!.*\n)?(?:\/\/ @.*\n)*\/\*\*/u.test(text)) {
    breaches.push(`${file}: does not begin with a comment that says what it is for`);
  }
}

for (const [name, forbidden] of Object.entries(FORBIDDEN_DEPENDENCIES)) {
  const { dependencies = {} } = JSON.parse(read(`packages/${name}/package.json`)) as {
    dependencies?: Record<string, string>;
  };
  for (const dependency of Object.keys(dependencies)) {
    if (forbidden.test(dependency)) breaches.push(`packages/${name}: must not depend on ${dependency}`);
  }
}

for (const file of sources) breaches.push(...newArrows(file, read(file)));

/** Keys of services are compared at run time, also with those of embedders. */
const SERVICE_KEY = /(?:>\(\)|\bReference<[^;]*?>)\(\s*"([^"]*\/[^"]*)"/gu;
for (const file of sources.filter((each) => each.endsWith(".ts"))) {
  const own = `@winnow/${file.split("/")[1]}/`;
  for (const [, key = ""] of read(file).matchAll(SERVICE_KEY))
    if (!key.startsWith(own))
      breaches.push(`${file}: the key "${key}" of its service must begin with ${own}`);
}

const WITHOUT_CIRCLES = /^packages\/.*\.tsx?$/u;
const inPackages = sources.filter((file) => WITHOUT_CIRCLES.test(file));
const texts = new Map(inPackages.map((file) => [file, read(file)]));
breaches.push(...goneArrows(texts));
for (const folder of foldersInCircles(texts))
  breaches.push(`${folder}: it and its neighbours import each other in a circle`);

/** Heads and READMEs name tests: "Tests: FileLinks.test.ts." */
const TEST_FILE = /\b[\w.-]+\.test\.tsx?\b/gu;
const testFiles = new Set(tracked.map((file) => path.posix.basename(file)));
for (const file of [...sources, ...tracked.filter((each) => each.endsWith(".md"))])
  for (const [name] of read(file).matchAll(TEST_FILE))
    if (!testFiles.has(name)) breaches.push(`${file}: names ${name}, which there is not`);

/** A busy machine takes longer, for no fault of the code; CPU time and counts stay the same. */
const TIMED = /\.(?:isBelow|isAtMost)\(\s*(?:performance|Date)\.now\(\)/u;
/** What needs a process or a run of its own says why. */
const TAG = /^\/\/ @module-tag (?:long(?:: \S.*)?|(?:alone|faults|smoke): \S.*)$/u;
/** Only files with these tags run in test:faults, where it is set: elsewhere, nothing runs what asks for it. */
const FAULTS = /\bWINNOW_TEST_FAULTS\b/u;
/** The run has one server that all files may share (examples/test/ServerBroker.ts); starting another takes seconds. */
const STARTS_SERVER = /\b(?:serverProcess|startSharedServer)\(|\bown: true\b|"\.\/Mounts\.ts"/u;
for (const file of tracked.filter((each) => each.endsWith(".test.ts"))) {
  const text = read(file);
  if (TIMED.test(text)) breaches.push(`${file}: asserts elapsed time; limit CPU time or counts instead`);
  const [first = ""] = text.split("\n", 1);
  if (first.includes("@module-tag") && !TAG.test(first))
    breaches.push(`${file}: its tag is not one of scripts/vitest.config.ts, or lacks its reason`);
  if (FAULTS.test(text) && !/^\/\/ @module-tag (?:faults|smoke):/u.test(first))
    breaches.push(`${file}: test:faults does not run it, so it lacks the tag smoke`);
  if (STARTS_SERVER.test(text) && !/\bservers?\b/u.test(first))
    breaches.push(`${file}: its first line does not say why it needs a server of its own`);
}

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly publishConfig: { readonly exports?: Readonly<Record<string, string>> };
}

/** Published, a subpath is the compiled output of the source that it is here; `./*` and those of tests may be for us alone. */
for (const name of PACKAGES) {
  const { exports, publishConfig } = JSON.parse(read(`packages/${name}/package.json`)) as Manifest;
  const published = publishConfig.exports ?? exports;
  for (const entry of new Set([...Object.keys(exports), ...Object.keys(published)])) {
    if (entry.endsWith("/*") && published[entry] === undefined) continue;
    const compiled = exports[entry]?.replace("./src/", "./dist/src/").replace(/\.ts$/u, ".js");
    if (published[entry] !== compiled)
      breaches.push(`packages/${name}: "${entry}" of publishConfig.exports must be ${compiled}`);
  }
}

for (const breach of breaches) console.error(breach);
console.log(`tidy: ${tracked.length} files, ${breaches.length} breaches`);
process.exitCode = breaches.length === 0 ? 0 : 1;
