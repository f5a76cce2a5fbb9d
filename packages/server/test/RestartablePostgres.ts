/**
 * A PostgreSQL server, of the real programs, that can be stopped, crashed and restarted with the same folder
 * and port. Commits are acknowledged once they are written, but not flushed: they survive a crash of the
 * server, not of the machine. A shell that waits for the end of a pipe stops the server and removes its folder
 * when the process that started it ends.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries } from "@winnow/adapters/database/embedded/Binaries";
import { run } from "@winnow/adapters/database/embedded/ServerUser";
import { chooseServerUsers, spawnAs, type ServerUser } from "@winnow/adapters/database/embedded/ServerUser";
import * as Effect from "effect/Effect";
import { ownPort } from "./OwnPort.ts";

/** Of the whole test run, if one is under way. */
const sharedFolder = process.env["WINNOW_TEST_FOLDER"] ?? tmpdir();

export const ROLE = "winnow";
const PASSWORD = "tests-only";

const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  max_connections: "200",
  logging_collector: "off"
};

/** Reads one signal or START per line; at the end of input, stops the server and removes its folder. */
const KEEPER = `
  folder=$1; shift
  "$@" </dev/null & server=$!
  while read -r word; do
    if [ "$word" = START ]; then "$@" </dev/null & server=$!
    else kill -"$word" "$server"; wait "$server"; echo stopped; fi
  done
  kill -QUIT "$server"; wait "$server"; rm -rf "$folder"`;

export interface RestartablePostgres {
  /** Over TCP; the same after every start. */
  readonly url: string;
  /**
   * Terminates all sessions: by a fast shutdown, as before a restart, or by an immediate one, as in a crash.
   */
  readonly stop: (how: "orderly" | "crash") => Promise<void>;
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const folderOf = async (name: string, user: ServerUser | null): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `winnow-${name}-`));
  if (user !== null) await chown(folder, user.uid, user.gid);
  return folder;
};

const initialise = async (initdb: string, user: ServerUser | null): Promise<string> => {
  const folder = await folderOf("restartable", user);
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
  const options = ["--no-sync", "--encoding=UTF8", "--locale=C", "--auth=scram-sha-256"];
  const made = await run(
    initdb,
    ["-D", join(folder, "data"), "-U", ROLE, `--pwfile=${passwordFile}`, ...options],
    spawnAs(user)
  );
  if (made.exitCode !== 0) throw new Error(`initdb failed: ${made.output}`);
  return folder;
};

/** Resolves when the server's log says that it is ready. */
const untilReady = (keeper: ChildProcessWithoutNullStreams): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = "";
    const onData = (chunk: Buffer): void => {
      log += String(chunk);
      if (!log.includes("ready to accept connections")) return;
      keeper.stderr.off("data", onData);
      // Otherwise the pipe would fill up and block the server.
      keeper.stderr.resume();
      resolve();
    };
    keeper.stderr.on("data", onData);
    keeper.once("exit", () => reject(new Error(`PostgreSQL ended: ${log.slice(-2_000)}`)));
  });

export const startRestartablePostgres = async (): Promise<RestartablePostgres> => {
  const { initdb: user } = await chooseServerUsers();
  const binaries = await findBinaries(user, join(sharedFolder, "winnow-test-postgres-binaries"));
  const folder = await initialise(binaries.initdb, user);
  const port = await ownPort();
  const place = ["-D", join(folder, "data"), "-h", "127.0.0.1", "-k", folder, "-p", String(port)];
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const keeper = spawn(
    "/bin/sh",
    ["-c", KEEPER, "sh", folder, binaries.postgres, ...place, ...settings],
    spawnAs(user)
  ) as ChildProcessWithoutNullStreams;
  await untilReady(keeper);
  return {
    url: `postgres://${ROLE}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    stop: async (how) => {
      const stopped = once(keeper.stdout, "data");
      keeper.stdin.write(how === "crash" ? "QUIT\n" : "INT\n");
      await stopped;
    },
    start: () => {
      const ready = untilReady(keeper);
      keeper.stdin.write("START\n");
      return ready;
    },
    end: async () => {
      const exited = once(keeper, "exit");
      keeper.stdin.end();
      await exited;
      await rm(folder, { recursive: true, force: true });
    }
  };
};

export const restartablePostgres = Effect.acquireRelease(
  Effect.promise(startRestartablePostgres),
  ({ end }) => Effect.promise(end)
);
