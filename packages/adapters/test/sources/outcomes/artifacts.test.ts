/** The table of artifacts against the tests that fetch with real programs: a row that nothing makes is in none. */
import { readFileSync } from "node:fs";
import { ARTIFACT_ROWS, artifactOf, ARTIFACTS } from "@winnow/core/domain/result/ArtifactName";
import { assert, it } from "vitest";

const FETCHES = [
  "pages.test.ts",
  "videos.test.ts",
  "../MediaDownloader.test.ts",
  "../platforms/platforms.test.ts"
];

it("every artifact, except for the engine's metadata, is among the files that a test of a fetch expects", () => {
  const sources = FETCHES.map((name) => readFileSync(new URL(name, import.meta.url), "utf8")).join("\n");
  const expected = new Set([...sources.matchAll(/"([\w.-]+)"/gu)].map(([, name = ""]) => artifactOf(name)));
  assert.deepStrictEqual(
    ARTIFACT_ROWS.filter((row) => !expected.has(row)),
    [ARTIFACTS.metadata]
  );
});
