/**
 * The operating system user that owns the cluster and runs the server.
 *
 * PostgreSQL refuses root. A plain user runs it under their own account. Root uses the owner of an existing cluster,
 * else an unused user id, so that no other program can read the data. Only `initdb` requires an account: it runs as
 * `nobody`, and its files change owner before they are used. Tests: EmbeddedPostgresAsRoot.test.ts.
 */
import { readFile } from "node:fs/promises";
import { spawn, type SpawnOptions } from "node:child_process";
import { failed, USE_YOUR_OWN } from "./EmbeddedPostgresFailed.ts";

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
  /** The name for messages. */
  readonly name: string;
}

/** Who runs `initdb` and who owns the result; null for the current user. */
export interface ServerUsers {
  readonly initdb: ServerUser | null;
  readonly server: ServerUser | null;
}

/** First of the ids that systemd lists as unused by any distribution (60578 to 61183). */
const UNNAMED_UID_FIRST = 60870;
const UNNAMED_UID_LAST = 60999;

/**
 * PostgreSQL's programs must not see our environment: it contains API keys, and PG* variables change their
 * behaviour.
 */
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * A cluster as its programs name it. What root starts as another user inherits it as its current folder, because that user
 * may not enter the folders above it, such as a home.
 */
export const asProgramsSee = (cluster: string, user: ServerUser | null): string =>
  user === null || process.platform !== "linux" ? cluster : "/proc/self/cwd";

/** Spawn options that run a program as the user, without our environment. */
export const spawnAs = (user: ServerUser | null, cwd = "/"): SpawnOptions => ({
  cwd,
  env: ENVIRONMENT,
  ...(user === null ? {} : { uid: user.uid, gid: user.gid })
});

interface Ended {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  /** Both streams interleaved. */
  readonly output: string;
}

/** Runs a short program to completion. Rejects if it cannot be started; abort kills it. */
export const run = (
  file: string,
  args: ReadonlyArray<string>,
  options: SpawnOptions,
  signal?: AbortSignal
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const kill = () => child.kill("SIGKILL");
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString("utf8");
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("error", reject);
    child.once("close", (exitCode) => {
      signal?.removeEventListener("abort", kill);
      resolve({ exitCode, output });
    });
    if (signal?.aborted === true) kill();
    else signal?.addEventListener("abort", kill, { once: true });
  });

/** Users for a new cluster. */
export const chooseServerUsers = async (): Promise<ServerUsers> => {
  if (!isRoot()) return { initdb: null, server: null };
  const accounts = parsePasswd(await readFile("/etc/passwd", "utf8"));
  const initdb = accounts.find(({ name }) => name === "nobody") ?? accounts.find(({ uid }) => uid !== 0);
  if (initdb === undefined) {
    throw failed(
      "PostgreSQL does not run as root, and this machine has no other user.",
      "Add one: useradd --system nobody",
      USE_YOUR_OWN
    );
  }
  return { initdb, server: unnamedUser(new Set(accounts.map(({ uid }) => uid))) };
};

/** True if the user can access the folder and read its files, by actually trying. */
export const canReach = async (
  user: ServerUser | null,
  folder: string,
  files: ReadonlyArray<string> = []
): Promise<boolean> => {
  if (user === null) return true;
  const script = 'cd -- "$1" || exit 1; shift; for file; do test -r "$file" || exit 1; done';
  const { exitCode } = await run("/bin/sh", ["-c", script, "sh", folder, ...files], spawnAs(user));
  return exitCode === 0;
};

const unnamedUser = (usedIds: ReadonlySet<number>): ServerUser => {
  let uid = UNNAMED_UID_FIRST;
  while (usedIds.has(uid) && uid < UNNAMED_UID_LAST) uid += 1;
  return { uid, gid: uid, name: `user id ${uid}` };
};

const parsePasswd = (text: string): ReadonlyArray<ServerUser> =>
  text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
