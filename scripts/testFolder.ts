/**
 * A temporary folder for every test file, in the one of the whole run, so that what a file leaves behind is seen and
 * attributed. Vitest runs this before each file.
 */
import path from "node:path";
import { expect } from "vitest";
import { folderNameOf, makeTemporary } from "./budgets.ts";

const { WINNOW_TEST_FOLDER } = process.env;
const { testPath } = expect.getState();
if (WINNOW_TEST_FOLDER !== undefined && testPath !== undefined) {
  process.env["TMPDIR"] = makeTemporary(path.join(WINNOW_TEST_FOLDER, folderNameOf(testPath)));
}
