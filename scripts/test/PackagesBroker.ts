/** The packages of this tree, staged and packed once for a whole run: compilers, packers and bundlers take long. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { packed } from "../release/archives.ts";
import { PACKAGES, type PackageName, stagePackages } from "../release/stage.ts";

const SOCKET_VARIABLE = "WINNOW_TEST_PACKAGES_SOCKET";

/** Paths of the archives by name. */
type Archives = Readonly<Record<PackageName, string>>;

type RunBroker = typeof import("../../packages/adapters/test/RunBroker.ts");

/** Imported by URL, because it belongs to another TypeScript project. */
const runBroker = async (): Promise<RunBroker> =>
  (await import(new URL("../../packages/adapters/test/RunBroker.ts", import.meta.url).href)) as RunBroker;

/** The archives that `npm publish` would upload. Shared: only to be read. */
export const archives = async (): Promise<Archives> => {
  const found = await (await runBroker()).askBroker<Archives>(SOCKET_VARIABLE);
  if (found === null) throw new Error("The packages are packed by the test run only.");
  return found;
};

/** A `globalSetup` of vitest. */
export const setup = async (): Promise<() => Promise<void>> => {
  const { brokerOf } = await runBroker();
  return brokerOf(SOCKET_VARIABLE, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "winnow-packed-"));
    const staged = path.join(folder, "staged");
    await stagePackages(staged);
    const value = Object.fromEntries(await packed(folder, staged, PACKAGES)) as Archives;
    await rm(staged, { recursive: true });
    return { value, stop: () => rm(folder, { recursive: true, force: true }) };
  })();
};
