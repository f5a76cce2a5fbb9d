import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { assert, describe, it, onTestFinished } from "vitest";
import { describeTaken, folderNameOf, leftIn, makeRunFolder } from "../budgets.ts";

describe("the budgets of a run", () => {
  it("name each thing that is left in a temporary folder, its size and who left it", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "winnow-budgets-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    assert.deepStrictEqual(leftIn(folder, "a.test.ts"), []);
    mkdirSync(path.join(folder, "data/deep"), { recursive: true });
    writeFileSync(path.join(folder, "data/deep/file"), Buffer.alloc(2_500_000));
    assert.deepStrictEqual(leftIn(folder, "a.test.ts"), [
      "a.test.ts leaves data (2.5 MB) in the temporary folder"
    ]);
    assert.deepStrictEqual(leftIn(path.join(folder, "none"), "b.test.ts"), []);
  });

  it("have a short folder of its own for each file", () => {
    const names = Array.from({ length: 500 }, (_, index) => folderNameOf(`/a/${index}.test.ts`));
    assert.strictEqual(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[0-9a-f]{6}$/u);
  });

  it("are counted in a folder of the run; that of a run that was cut off goes at the next one", () => {
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    const cutOff = mkdtempSync(path.join(tmpdir(), `winnow-${ended}-`));
    const own = makeRunFolder();
    onTestFinished(() => rmSync(own, { recursive: true }));
    assert.isFalse(existsSync(cutOff));
    const again = makeRunFolder();
    assert.isTrue(existsSync(own));
    rmSync(again, { recursive: true });
  });

  it("say minutes and whose processors they were", () => {
    assert.strictEqual(
      describeTaken({ seconds: 475.4, ours: 0.81, others: 0.034, isIdle: true }),
      "7 min 55 s; processors: tests 81 %, others 3 %"
    );
    assert.include(
      describeTaken({ seconds: 1, ours: null, others: null, isIdle: false }),
      "tests unknown, others unknown"
    );
  });
});
