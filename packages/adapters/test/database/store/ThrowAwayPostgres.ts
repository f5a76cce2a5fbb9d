/**
 * A temporary PostgreSQL server with the real binaries.
 *
 * It never flushes to disk. It ends, and its folder is removed, when the process that started it ends, however
 * that happens: a shell waits for the end of a pipe that only that process holds.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chown, mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@winnow/isolation/test/freePort";
import { findBinaries, type Binaries } from "../../../src/database/embedded/Binaries.ts";
import { run } from "../../../src/database/embedded/ServerUser.ts";
import { chooseServerUsers, spawnAs, type ServerUser } from "../../../src/database/embedded/ServerUser.ts";

/** Of the whole test run, if one is under way. */
const sharedFolder = process.env["WINNOW_TEST_FOLDER"] ?? tmpdir();

export const ROLE = "winnow";
/** Known to everybody on the machine, because the server has only test data. */
export const PASSWORD = "tests only: \u00fc/@?";
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  // Shared by all test files that run at once.
  max_connections: "300",
  autovacuum: "off",
  logging_collector: "off"
};

/** Starts the server, waits for the end of our pipe, stops it and removes its folder. */
const KEEPER = `
  folder=$1; shift
  "$@" </dev/null & server=$!
  cat >/dev/null
  kill -QUIT "$server"; wait "$server"; rm -rf "$folder"`;

interface Server {
  readonly folder: string;
  readonly port: number;
  readonly keeper: ChildProcess;
}

const must = async (file: string, args: ReadonlyArray<string>, user: ServerUser | null): Promise<void> => {
  const { exitCode, output } = await run(file, args, spawnAs(user));
  if (exitCode !== 0) throw new Error(`${file} failed: ${output}`);
};

const own = async (folder: string, user: ServerUser | null): Promise<string> => {
  if (user !== null) await chown(folder, user.uid, user.gid);
  return folder;
};

/** A fresh data folder; created once per test run, because initdb takes seconds. */
const initialised = async (binaries: Binaries, user: ServerUser | null): Promise<string> => {
  const shared = join(sharedFolder, `winnow-test-postgres-${process.getuid?.() ?? 0}`);
  const cluster = join(shared, `cluster-${binaries.major}-${user?.name ?? "own"}`);
  if (await stat(cluster).catch(() => null)) return cluster;
  await mkdir(shared, { recursive: true });
  const work = await own(await mkdtemp(join(sharedFolder, "winnow-initdb-")), user);
  const passwordFile = join(work, "password");
  await writeFile(passwordFile, PASSWORD);
  await own(passwordFile, user);
  const data = join(work, "data");
  const options = ["--no-sync", "--wal-segsize=1", "--encoding=UTF8", "--locale=C", "--auth=scram-sha-256"];
  await must(binaries.initdb, ["-D", data, "-U", ROLE, `--pwfile=${passwordFile}`, ...options], user);
  await rename(data, cluster).catch(() => undefined); // another process was faster
  await rm(work, { recursive: true, force: true });
  return cluster;
};

const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Where a server can be reached, in addition to this machine. */
export interface Reach {
  /** An address of this machine. */
  readonly address: string;
  /** Addresses of the clients, such as `198.18.0.0/24`. */
  readonly clients: string;
}

/** Null if another program took its port first. */
const tryStart = async (reach: Reach | null): Promise<Server | null> => {
  const { initdb: user } = await chooseServerUsers();
  const binaries = await findBinaries(user, join(sharedFolder, "winnow-test-postgres-binaries"));
  const cluster = await initialised(binaries, user);
  const folder = await own(await mkdtemp(join(tmpdir(), "winnow-postgres-")), user);
  const data = join(folder, "data");
  await must("/bin/cp", ["-Rp", cluster, data], user);
  if (reach !== null) {
    await appendFile(join(data, "pg_hba.conf"), `host all all ${reach.clients} scram-sha-256\n`);
  }
  const port = await freePort();
  const addresses = ["127.0.0.1", ...(reach === null ? [] : [reach.address])].join();
  const place = ["-D", data, "-h", addresses, "-k", folder, "-p", String(port)];
  const server = [binaries.postgres, ...place, ...settings];
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "sh", folder, ...server], {
    ...spawnAs(user),
    stdio: ["pipe", "ignore", "pipe"]
  });
  const isReady = await new Promise<boolean>((resolve, reject) => {
    let log = "";
    keeper.stderr?.on("data", (chunk: Buffer) => {
      log += log.length < 100_000 ? String(chunk) : "";
      if (log.includes("ready to accept connections")) resolve(true);
      if (log.includes("FATAL")) {
        if (log.includes("could not bind")) resolve(false);
        else reject(new Error(log));
      }
    });
    keeper.once("exit", () => reject(new Error(log)));
  });
  if (isReady) return { folder, port, keeper };
  await stop({ folder, port, keeper });
  return null;
};

const stop = async ({ keeper }: Server): Promise<void> => {
  const exited = once(keeper, "exit");
  keeper.stdin?.end();
  await exited;
};

/** A server that was started here. */
export interface RunningPostgres {
  /** Holds its data and its socket. */
  readonly folder: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Tries again with another port if a program took the free one first. */
export const startPostgres = async (reach: Reach | null = null): Promise<RunningPostgres> => {
  const server = await tryStart(reach);
  return server === null
    ? startPostgres(reach)
    : { folder: server.folder, port: server.port, stop: () => stop(server) };
};
