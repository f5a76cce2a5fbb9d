/** Programs that tests of examples need and `npm test` does not install. */
import { spawnSync } from "node:child_process";

/** `args` make it print its version. */
export const isInstalled = (program: string, args: ReadonlyArray<string> = ["--version"]): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).error === undefined;
