// @module-tag long
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it, vi } from "@effect/vitest";
import { temporaryFolder } from "../temporaryFolder.ts";
import { freePort } from "../freePort.ts";
import { processesNaming } from "./processesNaming.ts";

const RELAY = fileURLToPath(new URL("../../src/sandbox/relay.py", import.meta.url));

/** Only a relay that never ends would take this long. */
const ENDS_MS = 120_000;

describe("the relay of a sandbox", () => {
  it.each([
    ["that ends", ["/bin/cat"]],
    ["that is killed", ["/bin/sh", "-c", "read line; kill -KILL $$"]]
  ])(
    "ends after a program %s, since the sandbox stays as long as one of its processes",
    async (_name, command) => {
      const socket = join(temporaryFolder(), "proxy.sock");
      const relayed = ["-I", "-S", RELAY, String(await freePort()), socket, ...command];
      const program = spawn("python3", relayed, { stdio: ["pipe", "ignore", "ignore"] });
      const relays = () => processesNaming(socket).filter((pid) => pid !== String(program.pid));
      const untilThere = (count: number) =>
        vi.waitUntil(() => relays().length === count, { timeout: ENDS_MS, interval: 50 });
      await untilThere(1);
      const ended = once(program, "exit");
      program.stdin.end("\n");
      await ended;
      await untilThere(0);
      assert.deepStrictEqual(relays(), []);
    },
    3 * ENDS_MS
  );
});
