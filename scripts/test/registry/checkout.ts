/** A copy of the repository to release from: its files as they are now, in a new repository. */
import { execFile } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { PACKAGES } from "../../release/stage.ts";
import { filesOf, ROOT } from "../../repository.ts";

const run = promisify(execFile);

const PERSON = ["-c", "user.name=Release", "-c", "user.email=release@example.com"];

/**
 * Copies the compiled output, so that it is not compiled again. The compiler records paths relative to the
 * output. Third-party packages are links, and the relative path to their target differs here: without the
 * replacement, everything would be compiled again.
 */
const shareCompiled = async (folder: string, output: string): Promise<void> => {
  if (!existsSync(path.join(ROOT, output))) return;
  const target = path.join(folder, output);
  cpSync(path.join(ROOT, output), target, { recursive: true, preserveTimestamps: true });
  const memory = path.join(target, "tsconfig.tsbuildinfo");
  if (!existsSync(memory)) return;
  const installed = await realpath(path.join(ROOT, "node_modules"));
  const there = `"${path.relative(path.join(ROOT, output), path.join(ROOT, "node_modules"))}/`;
  const here = `"${path.relative(await realpath(target), installed)}/`;
  await writeFile(memory, (await readFile(memory, "utf8")).replaceAll(there, here));
};

/** Shares what is installed and compiled, and excludes it from git. */
const shareInstalled = async (folder: string): Promise<void> => {
  await symlink(path.join(ROOT, ".tools"), path.join(folder, ".tools"));
  // A link to each package, so that a program which adds links adds them here.
  await mkdir(path.join(folder, "node_modules"));
  for (const name of await readdir(path.join(ROOT, "node_modules"))) {
    await symlink(path.join(ROOT, "node_modules", name), path.join(folder, "node_modules", name));
  }
  const workspace = PACKAGES.map((name) => `packages/${name}/node_modules`);
  for (const name of [...workspace, "examples/node_modules", "docs/deploy/node_modules"]) {
    if (!existsSync(path.join(ROOT, name))) continue;
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of PACKAGES) await shareCompiled(folder, `packages/${name}/dist`);
  await writeFile(path.join(folder, ".git/info/exclude"), "node_modules\n.tools\n");
};

export const copyCheckout = async (folder: string): Promise<void> => {
  const files = filesOf();
  for (const each of new Set(files.map((file) => path.dirname(file)))) {
    mkdirSync(path.join(folder, each), { recursive: true });
  }
  for (const file of files) copyFileSync(path.join(ROOT, file), path.join(folder, file));
  const git = (...args: ReadonlyArray<string>) => run("git", [...PERSON, ...args], { cwd: folder });
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Release");
  await git("config", "user.email", "release@example.com");
  await shareInstalled(folder);
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "As it is");
};
