// @module-tag long: its own server, with WINNOW_ROUTES
/** A server with routes, from outside: which one served a run is told to the operator, and never to the account. */
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request as httpRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { ENGINE_DEFAULTS } from "@winnow/core/engine/EngineSettings";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import type { Finding } from "@winnow/cli/doctor";
import { patientTimers } from "./NodeOptions.ts";
import { valueOf } from "./PrometheusText.ts";
import { failedStart, serverProcess } from "./ServerProcess.ts";
import { newDatabase } from "./SharedPostgres.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";
import { winnow } from "./WinnowProgram.ts";

const ADMIN_TOKEN = "admin-token-of-the-routes-test";
const PROXY_PASSWORD = "hunter2-of-the-proxy";
const COOKIE = "hunter2-of-the-jar";
const TEST_MS = 360_000;

/** Names that occur nowhere else. */
const OFFICE = "office-91c4";
const HOMES = "homes-2e7d";

/** Slowly, because reads are limited. */
const lookUntil = <A>(look: Effect.Effect<A>, holds: (value: A) => boolean) =>
  Effect.repeat(look, { schedule: Schedule.spaced("400 millis"), until: holds });

/** `tunnel`: what is answered to a request for one. */
const listening = (listener: RequestListener, tunnel: (request: IncomingMessage) => number = () => 405) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer(listener);
        server.on("connect", (request, socket) => socket.end(`HTTP/1.1 ${tunnel(request)} No\r\n\r\n`));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        return server;
      }),
      (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
    ),
    (server) => (server.address() as AddressInfo).port
  );

/** Sends requests on to this machine, with a header that tells the site which proxy it was. */
const proxy = (name: string) => {
  const wanted = `Basic ${Buffer.from(`user:${PROXY_PASSWORD}`).toString("base64")}`;
  const admits = ({ headers }: IncomingMessage) => headers["proxy-authorization"] === wanted;
  return listening(
    (request, response) => {
      if (!admits(request)) return void response.writeHead(407).end();
      const { pathname, port } = new URL(request.url ?? "");
      const options = { host: "127.0.0.1", port, path: pathname, headers: { ...request.headers, via: name } };
      const forwarded = httpRequest(options, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forwarded.on("error", () => response.destroy()).end();
    },
    (request) => (admits(request) ? 502 : 407)
  );
};

const ARTICLE = `<html><head><title>An article</title></head><body><article><h1>An article</h1>${"<p>It says something of interest to those who read it, sentence by sentence, and goes on.</p>".repeat(20)}</article></body></html>`;

/** Refuses what comes by the first proxy. */
const site = listening((request, response) => {
  if (request.headers.via === OFFICE) return void response.writeHead(429).end();
  response.writeHead(200, { "content-type": "text/html" }).end(ARTICLE);
});

const open = Effect.gen(function* () {
  const folder = yield* temporaryFolder("routes");
  const sitePort = yield* site;
  const [office, homes] = [yield* proxy(OFFICE), yield* proxy(HOMES)];
  const file = join(folder, "routes.json");
  const proxyUrl = (port: number) => `http://user:${PROXY_PASSWORD}@127.0.0.1:${port}`;
  const routes = [
    { name: HOMES, order: 2, proxy: proxyUrl(homes), cookies: "cookies.txt" },
    { name: OFFICE, order: 1, proxy: proxyUrl(office) }
  ];
  const write = (given: unknown) => writeFileSync(file, JSON.stringify(given));
  writeFileSync(
    join(folder, "cookies.txt"),
    `${["127.0.0.1", "FALSE", "/", "FALSE", "0", "session", COOKIE].join("\t")}\n`
  );
  write({ routes });
  const env = {
    WINNOW_PORT: "0",
    WINNOW_DATABASE_URL: yield* newDatabase,
    WINNOW_DATA_DIR: join(folder, "data"),
    WINNOW_ADMIN_TOKEN: ADMIN_TOKEN,
    WINNOW_EGRESS_ALLOW: `127.0.0.1:${sitePort}`,
    WINNOW_ROUTES: file,
    OPENAI_API_KEY: "",
    ...patientTimers(ENGINE_DEFAULTS.inspectTimeoutMs)
  };
  return { env, write, routes, siteUrl: `http://127.0.0.1:${sitePort}` };
});

describe("a server with routes", () => {
  it.live(
    "uses the next one while the first is refused, tells the operator and not the account, and reads them again",
    () =>
      Effect.gen(function* () {
        const { env, routes, siteUrl, write } = yield* open;
        const server = yield* serverProcess(env);
        const told: Array<string> = [];
        const ask = (path: string, key: string | null, body?: unknown) =>
          Effect.promise(async () => {
            const response = await fetch(server.url + path, {
              method: body === undefined ? "GET" : "POST",
              headers: {
                "content-type": "application/json",
                ...(key === null ? { authorization: `Bearer ${ADMIN_TOKEN}` } : { "x-api-key": key })
              },
              body: body === undefined ? null : JSON.stringify(body)
            });
            const text = await response.text();
            if (key !== null) told.push(text);
            return text.startsWith("{") ? JSON.parse(text) : text;
          });
        const { id: account } = yield* ask("/admin/v1/accounts", null, { name: "x" });
        yield* ask(`/admin/v1/accounts/${account}/top-ups`, null, { credits: 10_000 });
        const { key } = yield* ask(`/admin/v1/accounts/${account}/api-keys`, null, { name: "x" });

        yield* ask(`/v1/probe?url=${encodeURIComponent(`${siteUrl}/article`)}`, key);
        const { id } = yield* ask("/v1/extractions", key, { url: `${siteUrl}/article` });
        yield* lookUntil(
          ask(`/v1/extractions/${id}`, key),
          ({ status }: { readonly status: string }) => status === "complete"
        );
        yield* ask(`/v1/extractions/${id}/result`, key);
        yield* ask("/v1/extractions", key);

        assert.deepStrictEqual(yield* ask(`/admin/v1/accounts/${account}/extractions/${id}/route`, null), {
          id,
          status: "complete",
          route: HOMES
        });
        const { routes: reports } = yield* ask("/admin/v1/routes", null);
        assert.deepStrictEqual(
          reports.map(({ name, hosts, order }: any) => [name, hosts, order]),
          [
            [OFFICE, null, 1],
            [HOMES, null, 2],
            ["default", null, 0]
          ]
        );
        const [office, homes] = reports;
        const { host, reason } = office.resting[0];
        assert.deepStrictEqual([`http://${host}`, reason], [siteUrl, "rate_limited"]);
        assert.deepInclude(homes.cookies, { count: 1, expiresAt: null, problem: null });
        assert.isString(homes.cookies.lastSuccessAt);

        const metrics: string = yield* ask("/metrics", null);
        const of = (name: string, labels: Record<string, string>) => valueOf(metrics, name, labels);
        assert.strictEqual(of("winnow_route_resting", { route: OFFICE }), 1);
        const counted = of("winnow_route_requests_total", { route: OFFICE, outcome: "refused" });
        assert.isAtLeast(counted, 1);

        const line = server
          .stderr()
          .split("\n")
          .map((text) => (text.startsWith("{") ? JSON.parse(text) : {}))
          .find(
            ({ message, annotations }) => message === "A source was read" && annotations.extractionId === id
          );
        assert.strictEqual(line?.annotations.route, HOMES);
        assert.notMatch(told.join("\n"), new RegExp(`${OFFICE}|${HOMES}|"route"`, "u"));

        write({ routes: routes.slice(1) });
        process.kill(server.pid, "SIGHUP");
        yield* lookUntil(ask("/admin/v1/routes", null), ({ routes: now }: any) => now.length === 2);
        write({ routes: [{ name: OFFICE, order: 1, proxies: [] }] });
        process.kill(server.pid, "SIGHUP");
        yield* lookUntil(
          Effect.sync(() => server.stderr()),
          (text: string) => /Routes were not reloaded: .*`proxies` is not a field of a route/u.test(text)
        );
        assert.lengthOf((yield* ask("/admin/v1/routes", null)).routes, 2);
        const written = [server.stderr(), ...told, JSON.stringify(reports)].join("\n");
        for (const secret of [PROXY_PASSWORD, COOKIE]) assert.notInclude(written, secret);
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live(
    "says in one line what is wrong with them, at the start, in check and in doctor",
    () =>
      Effect.gen(function* () {
        const { env, routes, write } = yield* open;
        const findingsOf = Effect.fnUntraced(function* (command: "check" | "doctor") {
          const { code, stdout, stderr } = yield* winnow([command, "--json"], env);
          assert.notInclude(stdout + stderr, PROXY_PASSWORD);
          const findings = JSON.parse(stdout) as ReadonlyArray<Finding>;
          return { code, findings: findings.filter(({ name }) => name.startsWith("route")) };
        });
        write({
          routes: [
            ...routes,
            { name: "dead", order: 3, proxy: `socks5://user:${PROXY_PASSWORD}@127.0.0.1:1` },
            { name: "stranger", order: 4, proxy: routes[0]?.proxy.replace(PROXY_PASSWORD, "wrong") }
          ]
        });
        const { code, findings } = yield* findingsOf("check");
        assert.strictEqual(code, 1);
        assert.deepStrictEqual(
          findings.map(({ name, state }) => [name, state]),
          [
            [`route ${HOMES}`, "ok"],
            [`route ${HOMES}`, "ok"],
            [`route ${OFFICE}`, "ok"],
            ["route dead", "missing"],
            ["route stranger", "missing"]
          ]
        );
        assert.deepInclude(findings[3], {
          detail: "socks5://127.0.0.1:1 for all hosts refuses connections",
          remedy: "check that it runs and listens on this port"
        });
        assert.match(findings[4]?.detail ?? "", /refuses the user or the password$/u);

        write({ routes: [{ name: "a", order: 1, cookie: "x" }] });
        const [finding] = (yield* findingsOf("doctor")).findings;
        assert.deepInclude(finding, { name: "routes", state: "missing" });
        const { code: startCode, stderr } = yield* failedStart(env);
        assert.strictEqual(startCode, 1);
        assert.include(stderr, finding?.detail ?? "nothing");
        assert.match(
          finding?.detail ?? "",
          /^WINNOW_ROUTES is ".*", but .*Route "a": `cookie` is not a field/u
        );
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
