/**
 * The folder of one embedded server: DATA_DIR/postgres. Tests: EmbeddedPostgres.test.ts.
 *
 *     cluster/     PostgreSQL's data, owned by the server's user, 0700
 *     pgpass       passwords of both roles, 0600, in the format of libpq (PGPASSFILE=... psql ...)
 *     server.log   output of the server
 *     owner        locked by the process that owns the folder (embedded/FolderOwner.ts)
 *     server.lock  locked by the server's processes
 */
import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { toleratingCodes } from "@winnow/isolation/runtime/ErrorCode";
import { failed, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";
import { chooseServerUsers, isRoot, type ServerUser, type ServerUsers } from "./ServerUser.ts";

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

/** Finds or creates the folder. */
export const openServerFolder = async (dataDir: string): Promise<ServerPaths> => {
  const place = join(dataDir, "postgres");
  await mkdir(place, { recursive: true });
  const folder = await realpath(place);
  const found = await stat(folder);
  // From the cluster, the server's user must be able to read what is beside it.
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
