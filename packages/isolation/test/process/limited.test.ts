import { existsSync } from "node:fs";
import { assert, it } from "@effect/vitest";
import { limited } from "../../src/process/BoundedProcess.ts";
import { PROCESS_LIMITS } from "../../src/process/ProcessLimits.ts";

const confinement = {
  sandbox: { confine: (_confined: unknown, command: ReadonlyArray<string>) => command },
  folder: "/run-folder",
  readable: [],
  proxySocket: null
};

it.runIf(["/usr/bin/prlimit", "/bin/prlimit"].some(existsSync))(
  "a program may have few processes in a sandbox, which counts only its own",
  () => {
    const command = { program: "/usr/bin/true", args: [] };
    assert.include(limited({ ...command, confinement }), `--nproc=${PROCESS_LIMITS.confinedProcessesMax}`);
    assert.include(limited(command), `--nproc=${PROCESS_LIMITS.processesMax}`);
  }
);
