/** CHANGELOG.md of the repository: one section per release, built from its changesets. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const CHANGESETS = ".changeset";
const HEAD = "# Changelog\n";

/** Sizes of a change, largest first. */
const SIZES = ["major", "minor", "patch"] as const;
const TITLES: Readonly<Record<(typeof SIZES)[number], string>> = {
  major: "Breaking",
  minor: "Added",
  patch: "Fixed"
};

export interface Changeset {
  readonly size: (typeof SIZES)[number];
  /** Package names without scope. */
  readonly packages: ReadonlyArray<string>;
  readonly text: string;
}

/** A changeset file: names and sizes between two lines of dashes, then one paragraph. */
export const readChangeset = (file: string): Changeset => {
  const [, front = "", text = ""] = /^---\n(.*?)\n---\n(.*)$/su.exec(file) ?? [];
  const entries = [...front.matchAll(/^["']@winnow\/(\w+)["']: (\w+)$/gmu)];
  const size = SIZES.find((each) => entries.some(([, , said]) => said === each));
  if (size === undefined) throw new Error(`This is not a changeset:\n${file}`);
  return { size, packages: entries.map(([, name = ""]) => name), text: text.trim().replaceAll(/\s+/gu, " ") };
};

/** Changesets that are not released yet. */
export const pendingChangesets = (root: string): ReadonlyArray<Changeset> =>
  readdirSync(path.join(root, CHANGESETS))
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .toSorted()
    .map((file) => readChangeset(readFileSync(path.join(root, CHANGESETS, file), "utf8")));

/** One section: `## version (date)`, then what was added and fixed, with package names. */
export const sectionOf = (version: string, date: string, changesets: ReadonlyArray<Changeset>): string => {
  const parts = SIZES.flatMap((size) => {
    const lines = changesets
      .filter((changeset) => changeset.size === size)
      .map(({ packages, text }) => `- ${text} (${packages.join(", ")})`);
    return lines.length === 0 ? [] : [`### ${TITLES[size]}\n\n${lines.join("\n")}\n`];
  });
  return [`## ${version} (${date})\n`, ...parts].join("\n");
};

const titleOf = (section: string): string => section.split("\n", 1)[0] ?? "";

/** Inserts the section before those of earlier releases, in place of one such as `## 0.1.0, unreleased`. */
export const addSection = (root: string, section: string): void => {
  const file = path.join(root, "CHANGELOG.md");
  const before = existsSync(file) ? readFileSync(file, "utf8") : HEAD;
  const [head = "", ...all] = before.split(/^(?=## )/mu);
  const sections = all.filter((each) => !titleOf(each).endsWith(", unreleased"));
  writeFileSync(file, [`${head.trimEnd()}\n\n`, `${section}\n`, ...sections].join("").trimEnd() + "\n");
};
