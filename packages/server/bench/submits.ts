/**
 * CPU time of a submit of an already inspected source: an API without workers, 8 connections, a site on
 * loopback. With the URL of a server that has pg_stat_statements as the second
 * argument, on an empty database there, also the statements of a submit.
 *
 *     node packages/server/bench/submits.ts [rounds] [database url]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import * as EmbeddedPostgres from "@winnow/adapters/database/embedded/EmbeddedPostgres";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { Client } from "undici";
import { processesAbout, serverProcess } from "../test/ServerProcess.ts";
import { cpuSeconds, median, tenth } from "./ProcessTime.ts";

const [given = "20", database = ""] = process.argv.slice(2);
const rounds = Number(given);
const SUBMITS_PER_ROUND = 50;
/** Warm-up submits, until hot code is compiled. */
const WARM_UP_SUBMITS = 600;
const CONNECTIONS = 8;
const TOKEN = "bench-admin-token-of-some-length";
const MANY = 1_000_000;

const PAGE = `<title>An article</title><article>${"<p>Words about a thing that happened.</p>".repeat(40)}</article>`;

const site = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<ReturnType<typeof createServer>>((resolve) => {
        const server = createServer((_, response) =>
          response.writeHead(200, { "content-type": "text/html" }).end(PAGE)
        );
        server.listen(0, "127.0.0.1", () => resolve(server));
      })
  ),
  (server) => Effect.sync(() => server.close())
).pipe(Effect.map((server) => (server.address() as AddressInfo).port));

const post = async (client: Client, path: string, headers: Record<string, string>, body: object) => {
  const request = { method: "POST" as const, path, headers, body: JSON.stringify(body) };
  const answer = await client.request({
    ...request,
    headers: { "content-type": "application/json", ...headers }
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode}: ${text}`);
  return JSON.parse(text) as Record<string, string>;
};

const statements = (): number =>
  Number(
    execFileSync("psql", [
      database,
      "-Atc",
      "select coalesce(sum(calls), 0) from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())"
    ]).toString()
  );

/** A separate role requires a shared database. */
const ownDatabase = (folder: string) =>
  Effect.map(EmbeddedPostgres.start({ dataDir: join(folder, "database") }), ({ url }) => Redacted.value(url));

const bench = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "winnow-submits-"));
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })));
  const port = yield* site;
  if (database !== "") execFileSync("psql", [database, "-qc", "create extension pg_stat_statements"]);
  const server = yield* serverProcess({
    WINNOW_DATA_DIR: folder,
    WINNOW_PORT: "0",
    WINNOW_ROLE: "api",
    WINNOW_ADMIN_TOKEN: TOKEN,
    WINNOW_EGRESS_ALLOW: `127.0.0.1:${port}`,
    WINNOW_LOG_LEVEL: "warn",
    WINNOW_DATABASE_URL: database === "" ? yield* ownDatabase(folder) : database
  });
  yield* Effect.promise(async () => {
    const admin = { authorization: `Bearer ${TOKEN}` };
    const client = new Client(server.url);
    const { id = "" } = await post(client, "/admin/v1/accounts", admin, { name: "Bench" });
    await client
      .request({
        method: "PATCH",
        path: `/admin/v1/accounts/${id}`,
        headers: { ...admin, "content-type": "application/json" },
        body: JSON.stringify({ limits: { submitsPerMinute: MANY, waitingMax: MANY } })
      })
      .then(({ body }) => body.text());
    await post(client, `/admin/v1/accounts/${id}/top-ups`, admin, { credits: 10_000_000 });
    const { key = "" } = await post(client, `/admin/v1/accounts/${id}/api-keys`, admin, { name: "Bench" });
    const submits = async (count: number) => {
      let left = count;
      await Promise.all(
        connections.map(async (connection) => {
          while (left-- > 0) await post(connection, "/v1/extract", { "x-api-key": key }, { url });
        })
      );
    };
    const connections = Array.from({ length: CONNECTIONS }, () => new Client(server.url));
    const url = `http://127.0.0.1:${port}/article`;
    await submits(WARM_UP_SUBMITS);
    const pid =
      processesAbout(folder)
        .find((line) => /winnow\.mjs/u.test(line))
        ?.split(" ", 1)[0] ?? "";
    const asked = database === "" ? 0 : statements();
    const costs: Array<number> = [];
    for (let round = 0; round < rounds; round++) {
      const cpu = cpuSeconds(pid);
      await submits(SUBMITS_PER_ROUND);
      costs.push(((cpuSeconds(pid) - cpu) * 1e3) / SUBMITS_PER_ROUND);
    }
    const count = rounds * SUBMITS_PER_ROUND;
    console.log(
      `${median(costs).toFixed(2)} ms of processor time a submit in the median of ${rounds} rounds, ` +
        `${tenth(costs).toFixed(2)} at the tenth percentile` +
        (database === "" ? "" : `, ${((statements() - asked) / count).toFixed(2)} statements`)
    );
    await Promise.all(connections.map((connection) => connection.close()));
    await client.close();
    await server.kill("SIGTERM");
  });
}).pipe(Effect.scoped);

await Effect.runPromise(bench);
