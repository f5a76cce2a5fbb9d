/**
 * The folder of one embedded server: DATA_DIR/postgres. If the server's user cannot access DATA_DIR (root in a 0700
 * home), it is a system folder, and DATA_DIR/postgres is a symbolic link to it.
 *
 *     cluster/     PostgreSQL's data, owned by the server's user, 0700
 *     pgpass       passwords of both roles, 0600, in the format of libpq (PGPASSFILE=... psql ...)
 *     server.log   output of the server
 *     owner        locked by the process that owns the folder (embedded/FolderOwner.ts)
 *     server.lock  locked by the server's processes
 */
import { randomBytes } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile
} from "node:fs/promises";
import { join } from "node:path";
import { codeOf, failed, toleratingCodes, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";
import { canReach, chooseServerUsers, isRoot, type ServerUser, type ServerUsers } from "./ServerUser.ts";

export interface ServerPaths {
  readonly folder: string;
  readonly cluster: string;
  readonly log: string;
  readonly users: ServerUsers;
}

/** `admin` supervises, as superuser; `app` owns the database `winnow` and nothing else. */
export interface Passwords {
  readonly admin: string;
  readonly app: string;
}

export const ADMIN_ROLE = "postgres";
export const APP_ROLE = "winnow";
export const APP_DATABASE = "winnow";

/** Where root stores what another user must be able to access. */
export const SYSTEM_FOLDER = "/var/lib/winnow";

/** Finds or creates the folder. */
export const openServerFolder = async (dataDir: string, systemFolder: string): Promise<ServerPaths> => {
  await mkdir(dataDir, { recursive: true });
  const place = join(await realpath(dataDir), "postgres");
  if (!(await isThere(place))) {
    const { server } = await chooseServerUsers();
    if (await canReach(server, dataDir)) await mkdir(place, { recursive: true });
    else await linkToSystemFolder(place, systemFolder);
  }
  const folder = await realpath(place).catch((cause: unknown) => {
    if (codeOf(cause) !== "ENOENT") throw cause;
    throw failed(
      `${place} points to a folder that no longer exists. Restore it, or start afresh: rm ${place}`
    );
  });
  const found = await stat(folder);
  // Root's folder must be accessible to the server's user, who owns the cluster in it.
  const mode = isRoot() ? 0o711 : 0o700;
  if (found.uid === process.getuid?.() && (found.mode & 0o777) !== mode) await chmod(folder, mode);
  const cluster = join(folder, "cluster");
  return {
    folder,
    cluster,
    log: join(folder, "server.log"),
    users: await usersOf(cluster)
  };
};

/** The passwords, created at first use, by the folder's owner. */
export const readPasswords = async (folder: string): Promise<Passwords> => {
  const file = join(folder, "pgpass");
  const made = { admin: randomBytes(24).toString("base64url"), app: randomBytes(24).toString("base64url") };
  if (!(await isThere(file))) {
    const lines = [`127.0.0.1:*:*:${ADMIN_ROLE}:${made.admin}`, `127.0.0.1:*:*:${APP_ROLE}:${made.app}`];
    await rm(`${file}.part`, { force: true });
    await writeDurably(`${file}.part`, `${lines.join("\n")}\n`);
    await rename(`${file}.part`, file);
  }
  const found = new Map(
    (await readFile(file, "utf8")).split("\n").map((line) => {
      const [, , , role = "", password = ""] = line.split(":");
      return [role, password];
    })
  );
  const [admin, app] = [found.get(ADMIN_ROLE), found.get(APP_ROLE)];
  if (!admin || !app) {
    throw failed(
      `${file} does not contain the two expected passwords: restore the file from your backup.`,
      USE_YOUR_OWN
    );
  }
  return { admin, app };
};

/** An existing cluster keeps its owner, whoever starts it. */
const usersOf = async (cluster: string): Promise<ServerUsers> => {
  const owner = await stat(cluster).catch(toleratingCodes("ENOENT"));
  if (owner === undefined) return chooseServerUsers();
  if (isRoot()) {
    const server: ServerUser = { uid: owner.uid, gid: owner.gid, name: `user id ${owner.uid}` };
    return { initdb: server, server };
  }
  if (owner.uid !== process.getuid?.()) {
    throw failed(
      `The database in ${cluster} belongs to user id ${owner.uid}, not to you.`,
      "Run Winnow as that user or as root, or choose another folder with WINNOW_DATA_DIR.",
      USE_YOUR_OWN
    );
  }
  return { initdb: null, server: null };
};

/**
 * A new, uniquely named folder under the system folder: deleting DATA_DIR starts afresh, and never restores a
 * database through the folder's name.
 */
const linkToSystemFolder = async (place: string, systemFolder: string): Promise<void> => {
  await checkSystemFolder(systemFolder);
  const folder = join(systemFolder, `database-${randomBytes(8).toString("hex")}`);
  await mkdir(folder, { mode: 0o711 });
  await writeFile(join(folder, "belongs-to"), `${place}\n`);
  const lostRace = await symlink(folder, place).then(
    () => false,
    (cause: unknown) => {
      if (codeOf(cause) === "EEXIST") return true;
      throw cause;
    }
  );
  if (lostRace) await rm(folder, { recursive: true });
};

/** Only root may change what root runs from there. */
const checkSystemFolder = async (systemFolder: string): Promise<void> => {
  const made = await mkdir(systemFolder, { recursive: true });
  if (made !== undefined) await chmod(systemFolder, 0o755);
  const found = await lstat(systemFolder);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw failed(
      `${systemFolder} must be a folder that only root can write:`,
      `chown root ${systemFolder} && chmod 755 ${systemFolder}`,
      USE_YOUR_OWN
    );
  }
};

const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(toleratingCodes("ENOENT"))) !== undefined;

const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};
