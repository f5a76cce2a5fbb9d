/**
 * The order of test files: the longest first, so that none of them runs alone at the end, and the quick ones last,
 * to fill the remaining processor time.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST_TESTS } from "./slowTests.ts";

/** Rank among the longest; other files follow, and quick ones come last. */
const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = LONGEST_TESTS.findIndex((file) => moduleId.replaceAll("\\", "/").endsWith(file));
  if (rank !== -1) return rank;
  return LONGEST_TESTS.length + (project.name === "quick" ? 1 : 0);
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
