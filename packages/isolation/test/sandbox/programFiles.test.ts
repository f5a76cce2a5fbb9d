// @module-tag long
/** Programs outside the system's folders run in the sandbox, with what they need. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, assert, describe, it } from "@effect/vitest";
import { programFiles } from "../../src/sandbox/programFiles.ts";
import { examineSandbox } from "../../src/sandbox/Sandbox.ts";

const report = await examineSandbox();
const SKIPPED = report.works ? "" : ` (skipped: ${report.problem})`;

const folder = mkdtempSync(join(tmpdir(), "winnow-environment-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!report.works)(`A program in the sandbox${SKIPPED}`, () => {
  it("can be one of a Python environment, whose interpreter is a link in a folder that is readable as a whole", () => {
    if (!report.works) return;
    const environment = join(folder, "environment");
    execFileSync("python3", ["-m", "venv", "--without-pip", environment]);
    const program = join(environment, "bin", "where");
    writeFileSync(program, `#!${environment}/bin/python3\nimport sys\nprint(sys.prefix)\n`);
    chmodSync(program, 0o755);
    const work = join(folder, "work");
    mkdirSync(work);
    const confined = { folder: work, readable: programFiles(program), proxySocket: null };
    const [bubblewrap = "", ...args] = report.sandbox.confine(confined, [program]);
    assert.strictEqual(execFileSync(bubblewrap, args, { encoding: "utf8" }).trim(), environment);
  });
});
