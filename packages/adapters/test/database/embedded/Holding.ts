/** Shared by the tests of the embedded server: folders, processes that use a server, and queries. */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as PgConnection from "@effect/sql-pg/PgConnection";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { type EmbeddedPostgresOptions, start } from "../../../src/database/embedded/EmbeddedPostgres.ts";
import { findPostmaster, stopPostmaster } from "../../../src/database/embedded/Postmaster.ts";

export const isRoot = process.getuid?.() === 0;

/** A new folder that every user may enter; removing it stops a server that still runs in it. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "winnow-embedded-")));
    await chmod(folder, 0o755);
    return folder;
  }),
  (folder) =>
    Effect.promise(async () => {
      const left = await postmasterOf(folder);
      if (left !== null) await stopPostmaster(left.pid, clusterOf(folder));
      await rm(folder, { recursive: true, force: true });
    })
);

/**
 * A folder in which a server was started and stopped once, without a memory of its port, so that each copy chooses another
 * one.
 */
export const usedFolder = Effect.tap(temporaryFolder, (dataDir) =>
  Effect.andThen(
    Effect.scoped(start({ dataDir })),
    Effect.promise(() => rm(join(clusterOf(dataDir), "postmaster.opts")))
  )
);

const run = promisify(execFile);

/** A copy of the folder `used`, made in a third of the time that creating one takes. */
export const copyOf = (used: string) =>
  Effect.tap(temporaryFolder, (dataDir) =>
    Effect.promise(() => run("cp", ["-Rp", join(used, "postgres"), dataDir]))
  );

export const clusterOf = (dataDir: string): string => join(dataDir, "postgres", "cluster");

export const postmasterOf = (dataDir: string) => findPostmaster(clusterOf(dataDir));

/** Processes whose command lines, joined by spaces, have this pattern; Linux only, otherwise none. */
export const processesWith = (pattern: string) =>
  Effect.promise(async () => {
    const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/u.test(name));
    const lines = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""))
    );
    const wanted = new RegExp(pattern, "su");
    return pids.filter((_, index) => wanted.test((lines[index] ?? "").replaceAll("\0", " "))).map(Number);
  });

/** The first value that a query returns. */
export const ask = Effect.fnUntraced(function* (url: Redacted.Redacted, sql: string) {
  const connection = yield* PgConnection.make({ url });
  const rows = yield* connection.queryValues(sql, [], false);
  return rows[0]?.[0];
}, Effect.scoped);

export interface Holder {
  readonly pid: number;
  /** The URL, or the process id of the owner if another process owns the folder. */
  readonly line: string;
  readonly url: Redacted.Redacted;
  /** Ends it like a crash or `kill -9`. */
  readonly kill: Effect.Effect<void>;
  /** Lets it end by itself, and waits for that. */
  readonly leave: Effect.Effect<void>;
}

/** Name of the host that the processes of `inContainer` see. */
export const OTHER_HOST = "winnow-elsewhere";

/** As in a container: processes, shared memory and a host name of its own, and all processes end with the first. */
const inContainer = ["unshare", "--pid", "--ipc", "--uts", "--mount-proc", "--fork", "--kill-child", "--"];

const INIT = `hostname ${OTHER_HOST} || exit; exec 3<&0; "$@" <&3 3<&- & exec sleep 600`;

const NAMED = [...inContainer, "sh", "-c", INIT, "sh"];

export const canContain =
  spawnSync(inContainer[0] ?? "", [...inContainer.slice(1), "hostname", OTHER_HOST]).status === 0;

/** `isContained`: in namespaces of its own. */
interface Holding extends EmbeddedPostgresOptions {
  readonly isContained?: boolean;
}

/** Another process that owns the server; killed with the scope if it still runs. */
export const holdElsewhere = Effect.fnUntraced(function* (options: Holding) {
  const child = yield* spawnHolder(options);
  const line = yield* Effect.promise(() => firstLine(child));
  return {
    pid: child.pid ?? 0,
    line,
    url: Redacted.make(line),
    kill: kill(child),
    leave: end(child, () => child.stdin?.end())
  } satisfies Holder as Holder;
});

export const spawnHolder = ({ isContained = false, ...options }: Holding) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const holder = [fileURLToPath(new URL("holder.ts", import.meta.url)), JSON.stringify(options)];
      const [program = "", ...args] = [...(isContained ? NAMED : []), process.execPath, ...holder];
      return spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    }),
    (child) => kill(child)
  );

export const kill = (child: ChildProcess) => end(child, () => child.kill("SIGKILL"));

const end = (child: ChildProcess, how: () => void) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    how();
    await ended;
  });

const firstLine = async (child: ChildProcess): Promise<string> => {
  if (child.stdout === null) throw new Error("the holder has no output");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("the holder ended without a URL");
};
