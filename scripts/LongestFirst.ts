/** The order of test files: those that take longest begin first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST_TESTS } from "./slowTests.ts";

/** Its place among the longest; after all of them for any other. */
const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST_TESTS.findIndex((file) => moduleId.replaceAll("\\", "/").endsWith(file));
  return rank === -1 ? LONGEST_TESTS.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
