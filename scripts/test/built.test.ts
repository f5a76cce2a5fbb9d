import { assert, it } from "vitest";
import { filesOf } from "../setup/built.mjs";

it("whether the guides are fresh is told by their sources, not by packages that are linked beside them", () => {
  const files: Array<string> = filesOf("docs");
  assert.includeMembers(files, [
    "docs/contract.md",
    "docs/decisions/README.md",
    "docs/images/web-app-run.png"
  ]);
  assert.isFalse(files.some((file) => file.includes("node_modules")));
});
