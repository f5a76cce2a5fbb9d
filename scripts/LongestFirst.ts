/**
 * The order of test files: those that take longest begin first, so that none of them runs alone at the end, and the
 * quick ones come last: they fill what is left of every processor.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST_TESTS } from "./slowTests.ts";

/** Its place among the longest; after all of them for any other, and after those for a quick one. */
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
