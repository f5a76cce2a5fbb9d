/**
 * Dependencies that are published inside a package, because of their own dependencies. `effect` stays external, so
 * that there is one per process.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "vite";
import { ROOT } from "../repository.ts";

/** Modules by package; their imports are included, except `effect` and Node's own. */
const INLINED: Readonly<Record<string, ReadonlyArray<string>>> = {
  server: [
    "@effect/platform-node/NodeHttpServer",
    "@effect/platform-node/NodeServices",
    "@winnow/client/tools",
    "client-zip"
  ],
  adapters: [
    "@effect/sql-pg/PgClient",
    "@effect/sql-pg/PgConnection",
    "encoding-sniffer",
    "ipaddr.js",
    "lru-cache",
    "marked"
  ]
};

const FOLDER = "dist/src/inlined";

/** `from "x"`, `import("x")` and `import "x"` in compiled code. */
const SPECIFIER = /(from |import\(|import )"([^"]+)"/gu;

/** `@effect/sql-pg/PgClient` as a file name. */
const fileOf = (module: string): string => module.replace("@", "").replaceAll("/", "_");

const packageOf = (module: string): string =>
  module
    .split("/")
    .slice(0, module.startsWith("@") ? 2 : 1)
    .join("/");

/** Writes the bundles; returns the files they contain. */
const bundle = async (
  name: string,
  modules: ReadonlyArray<string>,
  outDir: string
): Promise<ReadonlyArray<string>> => {
  const bundled = new Set<string>();
  await build({
    root: path.join(ROOT, "packages", name),
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    plugins: [
      {
        name: "sources",
        generateBundle: (_options, output) => {
          for (const chunk of Object.values(output)) {
            if (chunk.type === "chunk") for (const file of chunk.moduleIds) bundled.add(file);
          }
        }
      }
    ],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: "node22",
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(modules.map((module) => [fileOf(module), module])),
        preserveEntrySignatures: "strict",
        external: [/^effect(?:\/|$)/u, /^node:/u],
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name].js" }
      }
    }
  });
  return [...bundled].filter((file) => path.isAbsolute(file));
};

/** Licences of the packages of the files, each after its package's name. */
const writeLicences = async (files: ReadonlyArray<string>, outDir: string): Promise<void> => {
  // Our own code has the licence of the package itself.
  const others = files.filter((file) => file.includes("/node_modules/"));
  const folders = new Set(
    others.map((file) => {
      const [, inside = ""] = /.*\/node_modules\/(.+)$/u.exec(file) ?? [];
      return path.join(file.slice(0, file.length - inside.length), packageOf(inside));
    })
  );
  const texts = [...folders].toSorted().map(async (folder) => {
    const licence = (await readdir(folder)).find((name) => /^licen[cs]e/iu.test(name));
    if (licence === undefined) throw new Error(`${folder} has no licence to publish it with.`);
    const { name } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
      readonly name: string;
    };
    return `${name}\n\n${await readFile(path.join(folder, licence), "utf8")}`;
  });
  await writeFile(path.join(outDir, "LICENSES"), (await Promise.all(texts)).join("\n\n---\n\n"));
};

/** The types of a module and of its relative imports. */
const writeTypes = async (module: string, resolve: NodeJS.RequireResolve, outDir: string): Promise<void> => {
  const entry = resolve(module).replace(/\.js$/u, ".d.ts");
  const typesFile = (name: string): string => fileOf(`${packageOf(module)}/${name}`);
  const queue = [path.basename(entry, ".d.ts")];
  const seen = new Set(queue);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const text = await readFile(path.join(path.dirname(entry), `${name}.d.ts`), "utf8");
    const written = text.replaceAll(SPECIFIER, (whole, before: string, specifier: string) => {
      if (!specifier.startsWith("./")) return whole;
      const imported = path.basename(specifier).replace(/\.[jt]s$/u, "");
      if (!seen.has(imported)) queue.push(imported);
      seen.add(imported);
      return `${before}"./${typesFile(imported)}.js"`;
    });
    const withoutMap = written.replace(/\n\/\/# sourceMappingURL=.*$/u, "");
    await writeFile(path.join(outDir, `${typesFile(name)}.d.ts`), withoutMap);
  }
};

/** Redirects the package's imports to the inlined modules; returns the modules whose types it uses. */
const rewriteImports = async (
  modules: ReadonlyArray<string>,
  source: string,
  outDir: string
): Promise<ReadonlySet<string>> => {
  const typed = new Set<string>();
  const files = await readdir(source, { recursive: true });
  for (const file of files.filter((each) => /^(?!inlined\/).*\.(?:js|d\.ts)$/u.test(each))) {
    const place = path.join(source, file);
    const text = await readFile(place, "utf8");
    const written = text.replaceAll(SPECIFIER, (whole, before: string, specifier: string) => {
      if (!modules.includes(specifier)) return whole;
      // No entry of the package uses its types.
      if (file.endsWith(".d.ts") && specifier.startsWith("@winnow/")) return whole;
      if (file.endsWith(".d.ts")) typed.add(specifier);
      const target = path.relative(path.dirname(place), path.join(outDir, `${fileOf(specifier)}.js`));
      return `${before}"${target.startsWith(".") ? target : `./${target}`}"`;
    });
    if (written !== text) await writeFile(place, written);
  }
  return typed;
};

/** Changes the unpacked package in `folder`: its code, types and manifest. */
export const inlineDependencies = async (name: string, folder: string): Promise<void> => {
  const modules = INLINED[name];
  if (modules === undefined) return;
  const outDir = path.join(folder, FOLDER);
  const { resolve } = createRequire(path.join(ROOT, "packages", name, "package.json"));
  await writeLicences(await bundle(name, modules, outDir), outDir);
  for (const module of await rewriteImports(modules, path.join(folder, "dist/src"), outDir)) {
    await writeTypes(module, resolve, outDir);
  }
  const file = path.join(folder, "package.json");
  const manifest = JSON.parse(await readFile(file, "utf8")) as { dependencies: Record<string, string> };
  for (const module of modules) delete manifest.dependencies[packageOf(module)];
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
};
