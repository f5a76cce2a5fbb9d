/**
 * The child programs of the fault tests with all their imports in few files, made once for a whole run: loading
 * hundreds of files takes most of a child's short life, and putting them together takes longer than several lives.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { askBroker, brokerOf } from "../RunBroker.ts";

const SOCKET_VARIABLE = "WINNOW_TEST_CHILDREN_SOCKET";

const PROGRAMS = [
  "crashingEngine.ts",
  "crashingDispatcher.ts",
  "racing.ts",
  "distantWorker.ts",
  "distantApi.ts"
] as const;

/** A program in this folder. */
export type ChildProgram = (typeof PROGRAMS)[number];

const nameOf = (program: ChildProgram): string => basename(program, ".ts");

interface Bundles {
  /** Holds a file for each program, and what Node compiled of them. */
  readonly folder: string;
}

const bundle = async (folder: string): Promise<void> => {
  const { build } = await import("vite");
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(
          PROGRAMS.map((program) => [nameOf(program), fileURLToPath(new URL(program, import.meta.url))])
        ),
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" }
      }
    },
    ssr: { noExternal: true }
  });
};

/** The file to start, and the folder for what Node compiles of it, which a hundred children then read. */
export const bundleOf = async (program: ChildProgram): Promise<{ file: string; compileCache: string }> => {
  const bundles = await askBroker<Bundles>(SOCKET_VARIABLE);
  if (bundles === null) throw new Error("Child programs are made by the test run only.");
  return {
    file: join(bundles.folder, `${nameOf(program)}.mjs`),
    compileCache: join(bundles.folder, "compiled")
  };
};

/** A `globalSetup` of vitest. */
export const setup = brokerOf<Bundles>(SOCKET_VARIABLE, async () => {
  const folder = await mkdtemp(join(tmpdir(), "winnow-children-"));
  await bundle(folder);
  return { value: { folder }, stop: () => rm(folder, { recursive: true, force: true }) };
});
