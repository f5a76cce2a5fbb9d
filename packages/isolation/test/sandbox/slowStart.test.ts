// @module-tag long
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { assert, it, onTestFinished } from "vitest";
import { onPath } from "@winnow/isolation/sandbox/programFiles";
import { examineSandbox } from "../../src/sandbox/Sandbox.ts";

const PATH = process.env["PATH"] ?? "";

const real = await examineSandbox();

it.runIf(real.works)("a sandbox that starts too late is tried again, and found to work", async () => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-slow-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [program, starts] = [join(folder, "bwrap"), join(folder, "starts")];
  // The first two starts hang.
  const script = `echo >> "${starts}"; [ $(wc -l < "${starts}") -gt 2 ] || exec sleep 600`;
  writeFileSync(program, `#!/bin/sh\n${script}\nexec "${onPath("bwrap", PATH)}" "$@"\n`);
  chmodSync(program, 0o755);
  const report = await examineSandbox([folder, PATH].join(delimiter), 1_000);
  assert.isTrue(report.works, JSON.stringify(report));
  assert.isAtLeast(readFileSync(starts, "utf8").length, 4);
});
