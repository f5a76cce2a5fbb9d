/** The packages as published, each unpacked in its own folder. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../repository.ts";
import { PNPM } from "../setup/packages.mjs";
import { inlineDependencies } from "./inline.ts";
import { writeInternalImports } from "./internalImports.ts";

const run = promisify(execFile);

/** In publishing order: each after its dependencies. */
export const PACKAGES = ["core", "testing", "adapters", "dashboard", "server", "client"] as const;

export type PackageName = (typeof PACKAGES)[number];

/** Sources are not published, so references to source maps are removed. */
const forgetMaps = async (folder: string): Promise<void> => {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/\.(?:js|d\.ts)$/u.test(file)) continue;
    const place = path.join(folder, file);
    const text = await readFile(place, "utf8");
    await writeFile(place, text.replaceAll(/\n?\/\/# sourceMappingURL=.*\n?/gu, "\n"));
  }
};

/** Packed by pnpm, which writes versions and `publishConfig` into the manifest. They must be built. */
const stagePackage = async (name: PackageName, folder: string): Promise<string> => {
  const target = path.join(folder, name);
  const tarball = path.join(folder, `${name}.tgz`);
  await mkdir(target, { recursive: true });
  const [program = "", ...args] = existsSync(PNPM) ? [process.execPath, PNPM] : ["pnpm"];
  await run(program, [...args, "pack", "--out", tarball], { cwd: path.join(ROOT, "packages", name) });
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", target]);
  await rm(tarball);
  await inlineDependencies(name, target);
  const code = path.join(target, "dist/src");
  // The web app consists of files for browsers, not of code for Node.
  if (existsSync(code)) {
    await writeInternalImports(code);
    await forgetMaps(code);
  }
  return target;
};

/** Builds and stages all of them below `folder`; returns their folders. */
export const stagePackages = async (folder: string): Promise<Readonly<Record<PackageName, string>>> => {
  await run(process.execPath, [path.join(ROOT, "scripts/build.ts")], { cwd: ROOT });
  const staged = await Promise.all(PACKAGES.map((name) => stagePackage(name, folder)));
  return Object.fromEntries(PACKAGES.map((name, index) => [name, staged[index] ?? ""])) as Record<
    PackageName,
    string
  >;
};
