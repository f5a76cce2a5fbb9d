/** Checks the files that contributors and their tools expect. */
import { existsSync } from "node:fs";
import path from "node:path";
import { assert, describe, it } from "vitest";
import { read, ROOT } from "../repository.ts";

describe("for contributors", () => {
  it("there are the usual files", () => {
    for (const file of [
      "CHANGELOG.md",
      "CODE_OF_CONDUCT.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "SECURITY.md",
      ".editorconfig",
      ".github/ISSUE_TEMPLATE/bug.yml",
      "renovate.json"
    ]) {
      assert.isTrue(existsSync(path.join(ROOT, file)), file);
    }
  });

  it("the workflow runs the same as .ci/run", () => {
    assert.match(read(".github/workflows/ci.yml"), /^ {6}- run: \.ci\/run$/mu);
  });

  it("one version of pnpm is named everywhere", () => {
    const { packageManager } = JSON.parse(read("package.json")) as { readonly packageManager: string };
    assert.match(packageManager, /^pnpm@\d+\.\d+\.\d+$/u);
    assert.include(read("docs/deploy/Dockerfile"), `npm install --global ${packageManager}\n`);
  });
});
