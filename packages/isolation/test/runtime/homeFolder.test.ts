import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { assert, it } from "vitest";

const MODULE = fileURLToPath(new URL("../../src/process/ProgramEnvironment.ts", import.meta.url));

const SCRIPT = `
  const { programEnvironment } = await import(${JSON.stringify(MODULE)});
  console.log(programEnvironment({ path: "/bin", folder: "/run", proxyUrl: null }).PYTHONUSERBASE);
`;

/** With a user id that has no entry in /etc/passwd, and an empty environment. */
const asNobodyKnown = (...args: ReadonlyArray<string>) =>
  spawnSync(
    "setpriv",
    ["--reuid", "23456", "--regid", "23456", "--clear-groups", process.execPath, ...args],
    { env: {}, encoding: "utf8" }
  );

const canRun = asNobodyKnown("--eval", `require("node:fs").readFileSync(${JSON.stringify(MODULE)})`);

it.runIf(canRun.status === 0)(
  "programs have an environment where the user has neither a home nor a name",
  () => {
    const { stderr, stdout } = asNobodyKnown("--input-type=module", "--eval", SCRIPT);
    assert.strictEqual(stdout.trim(), "/nonexistent/.local", stderr);
  }
);
