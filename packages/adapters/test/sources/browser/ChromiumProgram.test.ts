// @module-tag alone: what a process hands on
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { findChromium, reportChromium } from "../../../src/sources/browser/ChromiumProgram.ts";
import { workFolder } from "./Browsing.ts";

const folder = workFolder();

const program = (name: string, script = "echo Chromium 156.0.1 built on a test"): string => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
};

describe("the browser", () => {
  it("is the one of the setting, else the first known name on PATH, in any folder", () => {
    const chrome = program("one/google-chrome");
    const chromium = program("two/chromium");
    const path = `${join(folder, "one")}:relative:${join(folder, "two")}`;
    assert.strictEqual(findChromium(undefined, path), chromium);
    assert.strictEqual(findChromium(null, join(folder, "one")), chrome);
    assert.strictEqual(findChromium(chrome, path), chrome);
    assert.strictEqual(findChromium("", path), chromium);
  });

  it("is absent if the setting names none, or none is on PATH", () => {
    const path = join(folder, "two");
    for (const setting of ["off", "/no/such/program", "chromium", folder.concat("/two/none")]) {
      assert.isNull(findChromium(setting, path));
    }
    assert.isNull(findChromium(undefined, join(folder, "empty")));
    assert.isNull(findChromium(undefined, ""));
  });

  it("is reported with its version, or with what is missing and how to get it", async () => {
    const found = await reportChromium(program("good"));
    assert.deepInclude(found, { version: "156.0.1", problem: null, remedy: null, required: false });
    const broken = await reportChromium(program("broken", "exit 1"));
    assert.deepInclude(broken, { version: null, problem: "found, but it does not run" });
    const missing = await reportChromium("/no/such/program");
    assert.include(missing.problem ?? "", "not found");
    assert.isString(missing.remedy);
    assert.deepInclude(await reportChromium("off"), { path: null, version: "off", problem: null });
  });
});
