/** Packages installed from their packed archives, as npm would, without a registry. */
import { execFile } from "node:child_process";
import { mkdir, readFile, realpath, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Unpacks the archive where npm would, with only the dependencies in its manifest: links to those of the
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
