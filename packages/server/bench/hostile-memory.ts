/**
 * Memory of a server and its child processes: before 500 hostile requests, at their peak, and a minute after the
 * last. Hostile bodies, schemas and headers, and inspections of pages that decompress, nest, redirect or drip
 * endlessly. Proportional set size. Linux only.
 *
 *   node packages/server/bench/hostile-memory.ts [requests]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as Effect from "effect/Effect";
import { serverProcess } from "../test/ServerProcess.ts";
import { memoryOf, totalMb } from "./ProcessMemory.ts";

const [requests = 500] = process.argv.slice(2).map(Number);
/** The limit is ten probes a minute per account. */
const ACCOUNTS = Math.ceil(requests / 10);
const AT_ONCE = 8;
const SETTLE_MS = 60_000;
const LOOK_EVERY_MS = 500;
const ADMIN_TOKEN = "bench-admin-token-0123456789";

const BOMB = gzipSync(Buffer.alloc(2 ** 26, " "));
const NESTED = `<!doctype html>${"<div>".repeat(50_000)}end`;

const PAGES: Readonly<Record<string, RequestListener>> = {
  bomb: (_request, response) =>
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(BOMB),
  nested: (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(NESTED),
  endless: (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const timer = setInterval(() => response.write("x".repeat(65_536)), 5);
    response.once("close", () => clearInterval(timer));
  },
  loop: (request, response) => response.writeHead(302, { location: `${request.url}x` }).end(),
  drip: (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const timer = setInterval(() => response.write("."), 500);
    response.once("close", () => clearInterval(timer));
  }
};

const probeOf = (kind: string) => (site: string, n: number) =>
  ["/v1/probe", JSON.stringify({ url: `${site}/${kind}/${n}` })] as const;

/** Path and body of each request, in order. */
const ATTACKS: ReadonlyArray<(site: string, n: number) => readonly [path: string, body: string]> = [
  ...Object.keys(PAGES).map(probeOf),
  () => ["/v1/extractions", "[".repeat(200_000)],
  () => ["/v1/extractions", `{"url":"${"a".repeat(250_000)}"}`],
  () => ["/v1/extractions", "x".repeat(2_000_000)],
  (site, n) => [
    "/v1/extractions",
    JSON.stringify({
      url: `${site}/nested/${n}`,
      schema: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 900 }, (_, at) => [`p${at}`, { type: "string", pattern: "^(a+)+$" }])
        )
      }
    })
  ],
  (site, n) => [
    "/v1/extractions",
    JSON.stringify({
      url: `${site}/bomb/${n}`,
      schema: { allOf: Array.from({ length: 2_000 }, () => ({ $ref: "#" })) }
    })
  ]
];

const startSite = async () => {
  const server = createServer((request, response) => {
    const kind = request.url?.split("/", 2)[1] ?? "";
    (PAGES[kind] ?? ((_request, missing) => missing.writeHead(404).end()))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** The status; null if the connection was closed. */
const post = async (url: string, token: string, body: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  try {
    const response = await fetch(url, { method: "POST", headers, body });
    const text = await response.text();
    return response.ok && url.includes("/admin/") ? JSON.parse(text) : response.status;
  } catch {
    return "closed";
  }
};

const makeKey = async (server: string): Promise<string> => {
  const { id } = (await post(`${server}/admin/v1/accounts`, ADMIN_TOKEN, '{"name":"bench"}')) as {
    id: string;
  };
  const keys = `${server}/admin/v1/accounts/${id}/api-keys`;
  return ((await post(keys, ADMIN_TOKEN, "{}")) as { key: string }).key;
};

const measure = Effect.gen(function* () {
  const dataDir = mkdtempSync(join(tmpdir(), "winnow-hostile-"));
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(dataDir, { recursive: true, force: true })));
  const site = yield* Effect.promise(startSite);
  const server = yield* serverProcess({
    WINNOW_DATA_DIR: dataDir,
    WINNOW_PORT: "0",
    WINNOW_ADMIN_TOKEN: ADMIN_TOKEN,
    WINNOW_EGRESS_ALLOW: new URL(site.url).host
  });
  yield* Effect.promise(async () => {
    const keys: Array<string> = [];
    for (let account = 0; account < ACCOUNTS; account++) keys.push(await makeKey(server.url));
    const answers = new Map<unknown, number>();
    let next = 0;
    const attack = async (until: number): Promise<void> => {
      while (next < until) {
        const n = next++;
        const [path, body] = ATTACKS[n % ATTACKS.length]?.(site.url, n) ?? ["/", ""];
        const status = await post(`${server.url}${path}`, keys[n % keys.length] ?? "", body);
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    };
    // One of each, so that lazily loaded code is included.
    await attack(ATTACKS.length);
    await wait(SETTLE_MS / 2);
    const before = totalMb(memoryOf(dataDir));
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, totalMb(memoryOf(dataDir)))), LOOK_EVERY_MS);
    await Promise.all(Array.from({ length: AT_ONCE }, () => attack(requests)));
    clearInterval(timer);
    await wait(SETTLE_MS);
    const after = totalMb(memoryOf(dataDir));
    console.log(
      `${requests} hostile requests: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at the peak, ${after.toFixed(0)} MB a minute after (${(after / before).toFixed(2)}x)`
    );
    console.log(
      `answers: ${[...answers].map(([status, count]) => `${count} x ${String(status)}`).join(", ")}`
    );
  });
  yield* Effect.promise(() => server.kill("SIGTERM"));
  site.server.closeAllConnections();
  site.server.close();
}).pipe(Effect.scoped);

await Effect.runPromise(measure);
