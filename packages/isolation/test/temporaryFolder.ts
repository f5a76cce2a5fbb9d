/** Folders of tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** A folder that is removed after the test that makes it, or after the file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-test-"));
  const afterwards = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
