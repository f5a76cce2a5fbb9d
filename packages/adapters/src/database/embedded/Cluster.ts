/** Creates the data of a new server atomically: under a temporary name, renamed when complete. Tests: EmbeddedPostgres.test.ts. */
import { randomBytes } from "node:crypto";
import { chown, lchown, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as Effect from "effect/Effect";
import { type Binaries, checkRuns } from "./Binaries.ts";
import { toleratingCodes } from "@winnow/isolation/runtime/ErrorCode";
import {
  attempt,
  diskFull,
  type EmbeddedPostgresFailed,
  failed,
  isFull,
  USE_YOUR_OWN
} from "./EmbeddedPostgresFailed.ts";
import { ADMIN_ROLE, type ServerPaths } from "./ServerPaths.ts";
import { asProgramsSee, run, type ServerUser, spawnAs } from "./ServerUser.ts";

/** Followed by letters and digits. */
const UNFINISHED = "cluster.init-";

const CREATING = "Creating the database";

/** Creates the cluster if it is missing; fails if it has another version. */
export const ensureCluster = (
  paths: ServerPaths,
  binaries: Binaries,
  adminPassword: string
): Effect.Effect<void, EmbeddedPostgresFailed> =>
  Effect.gen(function* () {
    yield* attempt("Removing leftovers of a killed process", () => removeUnfinished(paths.folder));
    const found = yield* attempt("Reading the database's version", () => versionOf(paths.cluster));
    if (found === null) {
      yield* attempt(CREATING, (signal) =>
        initialise(paths, binaries, adminPassword, signal).catch((cause: unknown) => {
          throw isFull(cause) ? diskFull(CREATING, paths.folder) : cause;
        })
      );
    } else if (found !== binaries.major) {
      return yield* failed(
        `The database in ${paths.cluster} belongs to PostgreSQL ${found}; this version of Winnow includes ` +
          `PostgreSQL ${binaries.major}.`,
        "Start the version of Winnow that created it and copy its data with pg_dump, or set another " +
          "WINNOW_DATA_DIR."
      );
    }
  });

const versionOf = async (cluster: string): Promise<number | null> => {
  const text = await readFile(join(cluster, "PG_VERSION"), "utf8").catch(toleratingCodes("ENOENT"));
  return text === undefined ? null : Number.parseInt(text, 10);
};

const initialise = async (
  paths: ServerPaths,
  binaries: Binaries,
  adminPassword: string,
  signal: AbortSignal
): Promise<void> => {
  await checkRuns(binaries, paths.users.initdb);
  const temporary = join(paths.folder, `${UNFINISHED}${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(temporary, { mode: 0o700 });
    await own(temporary, paths.users.initdb);
    await runInitdb(binaries.initdb, temporary, paths.users.initdb, adminPassword, signal);
    if (paths.users.server !== null && paths.users.server.uid !== paths.users.initdb?.uid) {
      await ownTree(temporary, paths.users.server);
    }
    // An interrupted start of this process may have been faster; its cluster is equivalent.
    await rename(temporary, paths.cluster).catch(toleratingCodes("EEXIST", "ENOTEMPTY"));
    await syncFolder(paths.folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

const runInitdb = async (
  initdb: string,
  cluster: string,
  user: ServerUser | null,
  adminPassword: string,
  signal: AbortSignal
): Promise<void> => {
  const passwordFile = `${cluster}.password`;
  try {
    await writeFile(passwordFile, `${adminPassword}\n`, { flag: "wx", mode: 0o600 });
    await own(passwordFile, user);
    const ended = await run(
      initdb,
      [
        `--pgdata=${asProgramsSee(cluster, user)}`,
        `--username=${ADMIN_ROLE}`,
        `--pwfile=../${basename(passwordFile)}`,
        "--auth-local=reject",
        "--auth-host=scram-sha-256",
        // The same collation on every machine, whatever locales it has.
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        "--no-instructions"
      ],
      spawnAs(user, cluster),
      signal
    );
    if (ended.exitCode !== 0) throw explain(ended.output);
  } finally {
    await rm(passwordFile, { force: true });
  }
};

const explain = (output: string): EmbeddedPostgresFailed => {
  const [, uid] = /could not look up effective user ID (\d+)/u.exec(output) ?? [];
  return uid === undefined
    ? failed(
        "PostgreSQL could not create its data folder. Output of initdb:",
        ...output.trim().split("\n").slice(-10),
        USE_YOUR_OWN
      )
    : failed(
        `The user id ${uid} has no name in /etc/passwd, which PostgreSQL needs: add one. ${USE_YOUR_OWN}`
      );
};

const removeUnfinished = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    // An orphaned initdb may still be writing there; the next start then removes the rest.
    await rm(join(folder, name), { recursive: true, force: true }).catch(toleratingCodes("ENOTEMPTY"));
  }
};

const own = async (path: string, user: ServerUser | null): Promise<void> => {
  if (user !== null) await chown(path, user.uid, user.gid);
};

const ownTree = async (folder: string, user: ServerUser): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await ownTree(path, user);
    else await lchown(path, user.uid, user.gid);
  }
  await lchown(folder, user.uid, user.gid);
};

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
