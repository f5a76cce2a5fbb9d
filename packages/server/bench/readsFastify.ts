/**
 * The reference for the reads bench: Fastify and pg doing the same three things for a request (key, limit, row), one
 * after another, and returning the same JSON.
 *
 * Prints its URL; ends with its parent.
 */
import { createHash } from "node:crypto";
import type { Extraction } from "@winnow/core/domain/run/Extraction";
import Fastify from "fastify";
import { Pool } from "pg";
import { extractionDetail, resultBody } from "../src/routes/extractions/extractionBodies.ts";

const pool = new Pool({ connectionString: process.env["WINNOW_DATABASE_URL"], max: 10 });

const PER_MINUTE = 60;
const WINDOW_MS = 60_000;

const KEY = {
  name: "key",
  text: "select account_id from winnow.api_key where hash = $1 and revoked_at is null"
};
const LIMIT = {
  name: "limit",
  text: `insert into winnow.request_count as c (account_id, bucket, window_start_ms, requests)
    values ($1, 'extraction', $2, 1)
    on conflict (account_id, bucket) do update set
      window_start_ms = excluded.window_start_ms,
      requests = case when c.window_start_ms < excluded.window_start_ms then 1 else c.requests + 1 end
    where c.window_start_ms < excluded.window_start_ms or c.requests < ${PER_MINUTE}
    returning requests`
};
const ROW = {
  name: "row",
  text: `select id, account_id as "accountId", status, request,
      json_build_object('madeBy', made_by, 'apiKeyId', api_key_id, 'apiKeyName', api_key_name) as requester,
      seen, credits_debited::integer as "creditsDebited",
      credits_refunded::integer as "creditsRefunded", rates, cached_from as "cachedFrom", attempt, result, failure,
      created_at_ms::float8 as "createdAtMs", started_at_ms::float8 as "startedAtMs",
      completed_at_ms::float8 as "completedAtMs"
    from winnow.extraction where id = $1 and account_id = $2`
};

const refused = (statusCode: number, code: string) => Object.assign(new Error(code), { statusCode });

const app = Fastify({
  ...(process.env["BENCH_LOG"] === "1" ? { logger: { stream: process.stderr } } : {}),
  disableRequestLogging: process.env["BENCH_LOG"] !== "1"
});

app.addHook("onRequest", async (request, reply) => {
  const hash = createHash("sha256").update(String(request.headers["x-api-key"])).digest("hex");
  const { rows: keys } = await pool.query<{ account_id: string }>({ ...KEY, values: [hash] });
  const accountId = keys[0]?.account_id;
  if (accountId === undefined) throw refused(401, "unauthorized");
  const nowMs = Date.now();
  const startMs = nowMs - (nowMs % WINDOW_MS);
  const { rows } = await pool.query<{ requests: number }>({ ...LIMIT, values: [accountId, startMs] });
  reply.headers({
    "x-ratelimit-limit": PER_MINUTE,
    "x-ratelimit-remaining": rows[0] === undefined ? 0 : PER_MINUTE - rows[0].requests,
    "x-ratelimit-reset": (startMs + WINDOW_MS) / 1_000,
    "x-request-id": request.id
  });
  if (rows[0] === undefined) throw refused(429, "rate_limited");
  request.headers["x-account"] = accountId;
});

const find = async (id: string, accountId: unknown): Promise<Extraction> => {
  const { rows } = await pool.query<Extraction>({ ...ROW, values: [id, accountId] });
  if (rows[0] === undefined) throw refused(404, "not_found");
  return rows[0];
};

interface Params {
  readonly Params: { readonly id: string };
}

app.get<Params>("/v1/extractions/:id", async ({ params, headers }) =>
  extractionDetail(await find(params.id, headers["x-account"]), new Map(), "http://127.0.0.1")
);
app.get<Params>("/v1/extractions/:id/result", async ({ params, headers }) =>
  resultBody(await find(params.id, headers["x-account"]), "http://127.0.0.1")
);

console.log(`listening on ${await app.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));
process.stdin.on("end", () => process.exit(0)).resume();
