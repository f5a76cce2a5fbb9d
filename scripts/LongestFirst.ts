/**
 * The order of test files: the longest first, so that none of them runs alone at the end, and the quick ones last,
 * to fill the remaining processor time. Files that share processes follow one another, because a process is only
 * passed on to the next file.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST_TESTS } from "./slowTests.ts";

const PROJECTS = ["sharing", "slow", "quick"];

/** Rank among the longest; the other files follow by their projects. */
const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = LONGEST_TESTS.findIndex((file) => moduleId.replaceAll("\\", "/").endsWith(file));
  if (rank !== -1) return rank;
  return LONGEST_TESTS.length + PROJECTS.indexOf(project.name);
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
