/**
 * Bundles the winnow program into a few files, once per test run. Tests start it some forty times, and
 * half of a start is finding and loading six hundred modules. It is the same program: it has the same launcher
 * and the same sources, in which `import.meta.url` still is the source's own, so that they find their worker
 * threads, migrations and Python. Only the sources and the `effect` packages are bundled; every other package
 * is loaded from where it is installed.
 */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { askBroker, brokerOf } from "@winnow/adapters/test/RunBroker";
import type { Plugin } from "vite";

const SOCKET_VARIABLE = "WINNOW_TEST_PROGRAM_SOCKET";

const PACKAGE = fileURLToPath(new URL("../../cli", import.meta.url));

const isEffect = (file: string): boolean => /\/node_modules\/(?:effect|@effect\/[^/]+)\//u.test(file);

const moduleUrl = (id: string): string => pathToFileURL(id.replace(/\?.*$/u, "")).href;

/** Leaves third-party packages external, and keeps the `import.meta.url` of each source. */
const keepPlaces: Plugin = {
  name: "keep-places",
  enforce: "pre",
  async resolveId(source, importer, options) {
    if (source.startsWith("node:")) return { id: source, external: true };
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (found === null || found.external !== false) return found;
    return found.id.includes("/node_modules/") && !isEffect(found.id)
      ? { id: moduleUrl(found.id), external: true }
      : found;
  },
  transform: (code, id) =>
    code.includes("import.meta.url")
      ? { code: code.replaceAll("import.meta.url", JSON.stringify(moduleUrl(id))), map: null }
      : null
};

/** Laid out like the published package, which the launcher distinguishes from the sources. */
const bundle = async (folder: string): Promise<string> => {
  const { build } = await import("vite");
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    plugins: [keepPlaces],
    build: {
      ssr: join(PACKAGE, "src/winnow.ts"),
      target: "node24",
      outDir: join(folder, "dist/src"),
      minify: false,
      rolldownOptions: { output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" } }
    },
    ssr: { noExternal: true }
  });
  await mkdir(join(folder, "bin"));
  for (const file of ["bin/winnow.mjs", "package.json"]) await cp(join(PACKAGE, file), join(folder, file));
  return join(folder, "bin/winnow.mjs");
};

/** Path of the bundled program's launcher; null if no broker runs. */
export const sharedProgram = async (): Promise<string | null> =>
  process.env[SOCKET_VARIABLE] === undefined ? null : askBroker<string>(SOCKET_VARIABLE);

/** A `globalSetup` of vitest. */
export const setup = brokerOf(SOCKET_VARIABLE, async () => {
  const folder = await mkdtemp(join(tmpdir(), "winnow-program-"));
  return { value: await bundle(folder), stop: () => rm(folder, { recursive: true, force: true }) };
});
