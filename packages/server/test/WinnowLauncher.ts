/** The program that tests start, for files that start it: loading this one has it bundled. */
import { fileURLToPath } from "node:url";
import { sharedProgram } from "./ProgramBroker.ts";

/**
 * The bundle of the test run, which starts in half the time. If there is none, as in benchmarks, the program of
 * the workspace, which the demo's tests start in any case.
 */
export const BIN =
  (await sharedProgram()) ?? fileURLToPath(new URL("../../cli/bin/winnow.mjs", import.meta.url));
