/** Packages installed from their packed archives, as npm would, without a registry. */
import { execFile } from "node:child_process";
import { mkdir, readFile, realpath, rename, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Packs each folder `staged/name` into an archive in `folder`, like `npm publish`; returns the paths by name.
 * One npm packs them all, because most of its work is to start.
 */
export const packed = async <Name extends string>(
  folder: string,
  staged: string,
  names: ReadonlyArray<Name>
): Promise<ReadonlyMap<Name, string>> => {
  const folders = names.map((name) => path.join(staged, name));
  // The output lists every packed file.
  const options = { maxBuffer: 1e8 };
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, ...folders], options);
  const output = Object.values(
    JSON.parse(stdout) as Record<string, { readonly name: string; readonly filename: string }>
  );
  const archives = new Map<Name, string>();
  for (const name of names) {
    const { filename = "" } = output.find((each) => each.name === `@winnow/${name}`) ?? {};
    const archive = path.join(folder, `winnow-${name}.tgz`);
    await rename(path.join(folder, filename), archive);
    archives.set(name, archive);
  }
  return archives;
};

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
