/** A copy of the repository to release from: its files as they are now, in a repository of its own. */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { PACKAGES } from "../../release/stage.ts";
import { filesOf, ROOT } from "../../repository.ts";

const run = promisify(execFile);

const PERSON = ["-c", "user.name=Release", "-c", "user.email=release@example.com"];

/** What is installed and compiled is shared, and unknown to git. */
const shareInstalled = async (folder: string): Promise<void> => {
  await symlink(path.join(ROOT, ".tools"), path.join(folder, ".tools"));
  // Links of its own to the packages: a program that writes new ones writes them here.
  await mkdir(path.join(folder, "node_modules"));
  for (const name of await readdir(path.join(ROOT, "node_modules"))) {
    await symlink(path.join(ROOT, "node_modules", name), path.join(folder, "node_modules", name));
  }
  const workspace = PACKAGES.map((name) => `packages/${name}/node_modules`);
  for (const name of [...workspace, "examples/node_modules", "docs/deploy/node_modules"]) {
    if (!existsSync(path.join(ROOT, name))) continue;
    await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  // What is compiled already is compiled here too: the release then has less to do.
  for (const name of PACKAGES.map((each) => `packages/${each}/dist`)) {
    if (existsSync(path.join(ROOT, name))) {
      await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true, preserveTimestamps: true });
    }
  }
  await writeFile(path.join(folder, ".git/info/exclude"), "node_modules\n.tools\n");
};

export const copyCheckout = async (folder: string): Promise<void> => {
  for (const file of filesOf()) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await cp(path.join(ROOT, file), path.join(folder, file));
  }
  const git = (...args: ReadonlyArray<string>) => run("git", [...PERSON, ...args], { cwd: folder });
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Release");
  await git("config", "user.email", "release@example.com");
  await shareInstalled(folder);
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "As it is");
};
