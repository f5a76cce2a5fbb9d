/**
 * How clients handle faults: one POST each to a loopback server that fails once, then works.
 *
 *   node packages/client/bench/faults.ts
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenAI } from "openai";
import { Stripe } from "stripe";
import { Winnow } from "../src/index.ts";

/** A call that takes longer counts as having no time limit. */
const HANG_TIMEOUT_MS = 15_000;
/** Time limit of clients that accept one. */
const TIMEOUT_MS = 1_000;

const GOOD = JSON.stringify({ id: "x", object: "customer", status: "pending", choices: [] });

type Fault = (response: ServerResponse) => void;

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

const failed = (code: string) => JSON.stringify({ error: { code, message: code, type: code } });

const FAULTS: Readonly<Record<string, Fault>> = {
  "status 429, Retry-After 1": answer(429, failed("rate_limited"), { "retry-after": "1" }),
  "status 500": answer(500, failed("internal_error")),
  "status 503 in HTML": answer(503, "<html>503</html>", { "content-type": "text/html" }),
  "dropped before": (response) => void response.destroy(),
  "dropped after commit": (response) => void response.destroy(),
  "status 409": answer(409, failed("conflict")),
  "half a body": (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": GOOD.length });
    response.write(GOOD.slice(0, 20), () => response.destroy());
  },
  "status 200, no JSON": answer(200, "<html>", { "content-type": "text/html" }),
  "never answers": () => undefined,
  "never ends": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("{");
  }
};

interface Bench {
  readonly port: number;
  readonly keys: Array<string>;
  /** Number of runs that a server with idempotency keys would have created. */
  readonly commits: Set<string>;
  fault: Fault | null;
  isCommitting: boolean;
}

const startBench = async (): Promise<Bench & Disposable> => {
  const bench = { port: 0, keys: [], commits: new Set(), fault: null, isCommitting: false } as {
    -readonly [Key in keyof Bench]: Bench[Key];
  };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    for await (const _ of request);
    const key = request.headers["idempotency-key"]?.toString() ?? "";
    bench.keys.push(key);
    const { fault } = bench;
    bench.fault = null;
    if (fault === null || bench.isCommitting) bench.commits.add(key === "" ? `#${bench.keys.length}` : key);
    if (fault === null) answer(200, GOOD)(response);
    else fault(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  bench.port = (server.address() as AddressInfo).port;
  return Object.assign(bench, {
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    }
  });
};

const clientsOf = (port: number): Readonly<Record<string, () => Promise<unknown>>> => {
  const baseUrl = `http://127.0.0.1:${port}`;
  const winnow = new Winnow({ apiKey: "k", baseUrl, timeoutMs: TIMEOUT_MS });
  const options = {
    host: "127.0.0.1",
    port,
    protocol: "http",
    timeout: TIMEOUT_MS,
    telemetry: false
  } as const;
  const stripe = new Stripe("sk_test_x", options);
  const openai = new OpenAI({ apiKey: "k", baseURL: baseUrl, timeout: TIMEOUT_MS });
  return {
    winnow: () => winnow.submit({ url: "https://a.example/" }).then((run) => run.id),
    stripe: () => stripe.customers.create({ name: "a" }).then((customer) => customer.id),
    openai: () => openai.chat.completions.create({ model: "m", messages: [] }).then((made) => made.id)
  };
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.constructor.name : String(error));

const outcomeOf = async (call: () => Promise<unknown>): Promise<string> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`hangs, over ${HANG_TIMEOUT_MS / 1_000} s`), HANG_TIMEOUT_MS);
  });
  const ended = call().then((id) => (id === "x" ? "ok" : `resolves with ${String(id)}`), nameOf);
  const outcome = await Promise.race([ended, late]);
  clearTimeout(timer);
  return outcome;
};

using bench = await startBench();
const clients = clientsOf(bench.port);
console.log(`| fault | ${Object.keys(clients).join(" | ")} |`);
console.log(`| --- |${" --- |".repeat(Object.keys(clients).length)}`);
for (const [name, fault] of Object.entries(FAULTS)) {
  const cells: Array<string> = [];
  for (const call of Object.values(clients)) {
    Object.assign(bench, { fault, isCommitting: name === "dropped after commit" });
    bench.keys.length = 0;
    bench.commits.clear();
    const startedMs = performance.now();
    const outcome = await outcomeOf(call);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    const keys = new Set(bench.keys);
    const keyed = keys.has("") ? "no key" : keys.size === 1 ? "one key" : `${keys.size} keys`;
    const twice = bench.commits.size > 1 ? ", **done twice**" : "";
    cells.push(`${outcome}, ${bench.keys.length} tries, ${seconds} s, ${keyed}${twice}`);
  }
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
process.exit(0);
