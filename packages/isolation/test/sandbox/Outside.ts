/** Targets for the rogue program: listeners of every kind, files, and a process with secrets. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";

export const ROGUE = fileURLToPath(new URL("./rogue.py", import.meta.url));
export const MIB = 2 ** 20;
export const NOBODY = 65_534;
export const isRoot = process.getuid?.() === 0;

const listening = (server: Server, at: ListenOptions) =>
  new Promise<void>((resolve) => void server.listen(at, resolve));

export const makeOutside = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "winnow-rogue-"));
    const mark = `winnow-mark-${folder.slice(-6)}`;
    const arrivals: Array<string> = [];
    const listener = (name: string) =>
      createServer((socket) => {
        arrivals.push(name);
        // Closes the connection only after the client has sent; otherwise the attempt would fail for another
        // reason.
        socket.on("error", () => undefined).once("data", () => socket.destroy());
      });
    const [tcp, abstract, database] = [listener("tcp"), listener("abstract"), listener("database")];
    await listening(tcp, { port: 0, host: "127.0.0.1" });
    await listening(abstract, { path: `\0${mark}` });
    await listening(database, { path: join(folder, ".s.PGSQL.5432") });
    const udp = createSocket("udp4");
    udp.on("message", () => arrivals.push("udp"));
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    // Represents the server: a process of the same user, with a secret in its environment.
    const server = spawn("/usr/bin/sleep", ["600"], {
      env: { ADMIN_TOKEN: mark },
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {})
    });
    for (const run of ["run_own", "run_other"]) mkdirSync(join(folder, run));
    writeFileSync(join(folder, "admin-token"), mark);
    writeFileSync(join(folder, "run_other", "secret"), mark);
    const allowed = [
      folder,
      ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
    ];
    // Open to every user, so that only the sandbox protects these files, not their modes.
    for (const path of allowed) {
      chmodSync(path, 0o777);
      if (isRoot) chownSync(path, NOBODY, NOBODY);
    }
    const outside = {
      mark,
      pid: server.pid ?? 0,
      home: homedir(),
      tcpPort: (tcp.address() as AddressInfo).port,
      udpPort: udp.address().port,
      abstractSocket: mark,
      databaseSocket: join(folder, ".s.PGSQL.5432"),
      adminTokenFile: join(folder, "admin-token"),
      otherRunFile: join(folder, "run_other", "secret"),
      tmpBytes: 128 * MIB,
      fileBytes: 64 * MIB,
      memoryBytes: 1_024 * MIB
    };
    return { outside, folder, arrivals, server, servers: [tcp, abstract, database], udp };
  }),
  ({ folder, server: standIn, servers, udp }) =>
    Effect.sync(() => {
      standIn.kill("SIGKILL");
      for (const server of servers) server.close();
      udp.close();
      rmSync(folder, { recursive: true, force: true });
    })
);

export interface Attempt {
  readonly attempt: string;
  readonly got: boolean;
  readonly why: string;
}

/** The results that the rogue program printed, one line per attempt. */
export const attemptsOf = (
  stdout: string,
  attempts: ReadonlyArray<string>,
  why: string
): ReadonlyArray<Attempt> => {
  const results = stdout
    .trim()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Attempt] : []));
  assert.deepStrictEqual(
    results.map(({ attempt }) => attempt),
    [...attempts],
    why
  );
  return results;
};

/**
 * Sending a datagram or leaving a child process is not a success in itself: the datagram must arrive, the process
 * survive.
 */
const SEEN_OUTSIDE: ReadonlySet<string> = new Set(["udp to loopback", "outliving its run"]);

export const gotOf = (results: ReadonlyArray<Attempt>): ReadonlyArray<string> =>
  results.filter(({ attempt, got }) => got && !SEEN_OUTSIDE.has(attempt)).map(({ attempt }) => attempt);
