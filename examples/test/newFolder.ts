import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * A temporary folder. All users may traverse it: if the tests run as root, PostgreSQL runs as another user, and would
 * otherwise put its data where no test removes them.
 */
export const newFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), `winnow-${name}-`));
  await chmod(folder, 0o711);
  return folder;
};
