/**
 * One throw-away PostgreSQL server for a whole run of tests, started when the first file asks for it: vitest
 * runs this file in its own process (`globalSetup`), test files ask over a socket whose path is in their
 * environment. A program that is run by itself (a benchmark) finds no path there, and has a server of its own.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type RunningPostgres, startPostgres } from "./ThrowAwayPostgres.ts";

const SOCKET_VARIABLE = "WINNOW_TEST_POSTGRES_SOCKET";

type Answer = { readonly server: Pick<RunningPostgres, "folder" | "port"> } | { readonly error: string };

/** The shared server; null where no broker runs. */
export const sharedPostgres = async (): Promise<Pick<RunningPostgres, "folder" | "port"> | null> => {
  const path = process.env[SOCKET_VARIABLE];
  if (path === undefined) return null;
  const answer = JSON.parse(await text(connect(path))) as Answer;
  if ("error" in answer) throw new Error(answer.error);
  return answer.server;
};

/** vitest's `globalSetup`; what it returns is run when all tests have ended. */
export const setup = async (): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-broker-"));
  let starting: Promise<RunningPostgres> | null = null;
  const broker = createServer((socket) => {
    starting ??= startPostgres();
    starting
      .then(
        ({ folder: data, port }): Answer => ({ server: { folder: data, port } }),
        (error: unknown): Answer => ({ error: String(error) })
      )
      .then((answer) => socket.end(JSON.stringify(answer)));
    socket.on("error", () => undefined);
  });
  const path = join(folder, "socket");
  await once(broker.listen(path), "listening");
  process.env[SOCKET_VARIABLE] = path;
  return async () => {
    await new Promise((resolve) => broker.close(resolve));
    await starting?.then(({ stop }) => stop()).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
};
