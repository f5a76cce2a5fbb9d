/**
 * Rules of the repository that no linter knows. Exit code 1 and one line a breach.
 */
import { filesOf, read } from "./repository.ts";

const FILE_LINES_MAX = 400;
const FILE_LINES_MEDIAN_MAX = 120;
const FORBIDDEN_NAMES = /^(?:utils?|helpers?|common|lib|types|misc)$/iu;
const TOP_LEVEL = new Set([
  "packages",
  "examples",
  "docs",
  "scripts",
  "package.json",
  "pnpm-workspace.yaml",
  "pnpm-lock.yaml",
  "tsconfig.json",
  "README.md",
  "CONTRIBUTING.md",
  "LICENSE"
]);
const PACKAGES = new Set(["core", "adapters", "server", "client", "dashboard"]);
/** A dependency that a package must not have, whatever its code says. */
const FORBIDDEN_DEPENDENCIES: Readonly<Record<string, RegExp>> = {
  core: /^(?!(?:effect|entities)$)/u,
  client: /./u
};

const breaches: Array<string> = [];

const tracked = filesOf();

const isGenerated = (file: string): boolean => file.includes("/generated/") || file.endsWith("openapi.json");
const isCode = (file: string): boolean => /\.(?:ts|mts|mjs|py|sql)$/u.test(file) && !isGenerated(file);

for (const file of tracked) {
  const [top = "", second = ""] = file.split("/");
  if (!top.startsWith(".") && !TOP_LEVEL.has(top))
    breaches.push(`${file}: "${top}" is not a room of the house`);
  if (top === "packages" && !PACKAGES.has(second))
    breaches.push(`${file}: "${second}" is not a package of the house`);
  const names = file.split("/").map((part) => part.replace(/\..*$/u, ""));
  if (!isGenerated(file) && names.some((name) => FORBIDDEN_NAMES.test(name)))
    breaches.push(`${file}: name it after what it holds`);
}

const sources = tracked.filter((file) => isCode(file) && /^packages\/[^/]+\/src\//u.test(file));
const lineCounts = new Map(tracked.filter(isCode).map((file) => [file, read(file).split("\n").length - 1]));
for (const [file, lines] of lineCounts) {
  if (lines > FILE_LINES_MAX) breaches.push(`${file}: ${lines} lines, ${FILE_LINES_MAX} at most`);
}
const sorted = sources.map((file) => lineCounts.get(file) ?? 0).toSorted((a, b) => a - b);
const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
if (median > FILE_LINES_MEDIAN_MAX)
  breaches.push(`median of source files is ${median} lines, ${FILE_LINES_MEDIAN_MAX} at most`);

for (const file of sources) {
  const text = read(file);
  if (file.endsWith(".ts") && !/^(?:#!.*\n)?(?:\/\/ @.*\n)*\/\*\*/u.test(text)) {
    breaches.push(`${file}: begins without a sentence that says what it owns`);
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

for (const breach of breaches) console.error(breach);
console.log(`tidy: ${tracked.length} files, median of sources ${median} lines, ${breaches.length} breaches`);
process.exitCode = breaches.length === 0 ? 0 : 1;
