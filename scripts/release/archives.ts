/** Archives of staged packages, as npm uploads and installs them. */
import { execFile } from "node:child_process";
import { rename } from "node:fs/promises";
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
