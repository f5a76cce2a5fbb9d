/**
 * Winnow whose runs are jobs of pg-boss. Start as many processes as you like on one database; with WINNOW_ROLE=worker,
 * one only executes runs.
 *
 *   WINNOW_DATABASE_URL=postgres://… node examples/queue-pg-boss/server.ts
 */
import { serve } from "@hono/node-server";
import { createWinnow } from "@winnow/server";
import * as PgBossQueue from "./PgBossQueue.ts";

const databaseUrl = process.env.WINNOW_DATABASE_URL;
if (databaseUrl === undefined)
  throw new Error("Set WINNOW_DATABASE_URL: pg-boss needs the database of the store.");

const winnow = await createWinnow({
  env: process.env,
  databaseUrl,
  layers: PgBossQueue.layer({ connectionString: databaseUrl }),
  logger: ({ level, message, error }) => level === "error" && console.error(message, error)
});

const port = Number(process.env.WINNOW_PORT ?? 3_000);
const server = serve({ fetch: winnow.fetch, hostname: "127.0.0.1", port }, (address) => {
  console.log("listening on", address);
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => void winnow.close().then(() => server.close()));
}
