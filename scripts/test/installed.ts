/** Packages as npm would install them, from their packed archives, without a registry. */
import { execFile } from "node:child_process";
import { mkdir, readFile, realpath, rename, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** As `npm publish` would: the staged folder `staged/name` in an archive of `folder`; answers its path. */
export const packed = async (folder: string, staged: string, name: string): Promise<string> => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: path.join(staged, name)
  });
  const [told] = Object.values(JSON.parse(stdout) as Record<string, { readonly filename: string }>);
  const archive = path.join(folder, `winnow-${name}.tgz`);
  await rename(path.join(folder, told?.filename ?? ""), archive);
  return archive;
};

/**
 * Unpacked where npm would put it, with what its own manifest asks for and nothing else: the copies of the
 * workspace at `root`, so that no registry is needed.
 */
export const unpacked = async (
  root: string,
  project: string,
  name: string,
  archive: string
): Promise<void> => {
  const target = path.join(project, "node_modules/@winnow", name);
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", archive, "--strip-components=1", "-C", target]);
  const { dependencies = {} } = JSON.parse(await readFile(path.join(target, "package.json"), "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const dependency of Object.keys(dependencies)) {
    if (dependency.startsWith("@winnow/")) continue;
    const link = path.join(target, "node_modules", dependency);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(await realpath(path.join(root, "packages", name, "node_modules", dependency)), link);
  }
};
