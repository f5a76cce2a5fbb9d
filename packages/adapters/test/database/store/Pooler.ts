/** PgBouncer of this machine in transaction mode, in front of a test database. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { chooseServerUsers, spawnAs } from "../../../src/database/embedded/ServerUser.ts";
import { freePort } from "@winnow/isolation/test/freePort";
import { PASSWORD, ROLE } from "./ThrowAwayPostgres.ts";

/** Debian installs PgBouncer in a folder that is not on the PATH of most users. */
const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` };

export const hasPgBouncer = spawnSync("pgbouncer", ["--version"], { env }).status === 0;

/** Fewer than the connections that the tests open, so that they really share sessions. */
const SERVER_CONNECTIONS = 3;

/** The URL of the database through the pooler, which runs until the scope closes. */
export const pooled = (direct: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { initdb: user } = await chooseServerUsers();
      const url = new URL(Redacted.value(direct));
      const { hostname, port: serverPort } = url;
      const folder = await mkdtemp(join(tmpdir(), "winnow-pooler-"));
      const port = await freePort();
      await chmod(folder, 0o755);
      await writeFile(join(folder, "users"), `"${ROLE}" "${PASSWORD}"\n`);
      const lines = [
        "[databases]",
        `* = host=${hostname} port=${serverPort}`,
        "[pgbouncer]",
        "listen_addr = 127.0.0.1",
        `listen_port = ${port}`,
        "unix_socket_dir =",
        "auth_type = trust",
        `auth_file = ${join(folder, "users")}`,
        "pool_mode = transaction",
        `default_pool_size = ${SERVER_CONNECTIONS}`
      ];
      await writeFile(join(folder, "pooler.ini"), lines.join("\n"));
      if (user !== null) await chown(folder, user.uid, user.gid);
      const child = spawn("pgbouncer", [join(folder, "pooler.ini")], {
        ...spawnAs(user),
        env,
        stdio: ["ignore", "ignore", "pipe"]
      });
      await new Promise<void>((resolve, reject) => {
        let log = "";
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          log += text;
          if (log.includes("process up")) resolve();
        });
        child.once("exit", () => reject(new Error(log)));
      });
      url.port = String(port);
      return { url: Redacted.make(url.href), child, folder };
    }),
    ({ child, folder }) =>
      Effect.promise(async () => {
        const ended = once(child, "exit");
        child.kill("SIGINT");
        await ended;
        await rm(folder, { recursive: true, force: true });
      })
  ).pipe(Effect.map(({ url }) => url));
