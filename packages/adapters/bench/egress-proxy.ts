/**
 * The cost of the egress proxy: the same requests directly and through it, alternating in one run.
 *
 *     node packages/adapters/bench/egress-proxy.ts
 *
 * Site, proxy and client are separate processes, as in production. Prints medians and ratios.
 */
import { execFile, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, request, type ClientRequestArgs } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import * as Effect from "effect/Effect";
import { Egress } from "../src/network/index.ts";

const SMALL_BYTES = 10_000;
const SMALL_REQUESTS = 200;
const LARGE_BYTES = 200_000_000;
const ROUNDS = 7;

const serveSite = async () => {
  const small = Buffer.alloc(SMALL_BYTES, "s");
  const chunk = Buffer.alloc(65_536, "l");
  const server = createServer((incoming, response) => {
    if (incoming.url === "/small") return void response.end(small);
    let left = LARGE_BYTES;
    response.setHeader("content-length", left);
    const write = () => {
      while (left > 0) {
        const part = left < chunk.length ? chunk.subarray(0, left) : chunk;
        left -= part.length;
        if (!response.write(part)) return;
      }
      response.end();
    };
    response.on("drain", write);
    write();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.send?.((server.address() as AddressInfo).port);
};

/** Milliseconds for `SMALL_REQUESTS`, `parallel` at a time over kept connections. */
const runClient = async (url: string, proxyUrl: string, parallel: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const direct = new URL(url);
  const proxy = proxyUrl === "" ? null : new URL(proxyUrl);
  const options: ClientRequestArgs =
    proxy === null
      ? { agent, host: direct.hostname, port: direct.port, path: direct.pathname }
      : {
          agent,
          host: proxy.hostname,
          port: proxy.port,
          path: url,
          headers: {
            host: direct.host,
            "proxy-authorization": `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString("base64")}`
          }
        };
  const get = () =>
    new Promise<void>((resolve, reject) => {
      request(options, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.resume().once("end", resolve);
      })
        .once("error", reject)
        .end();
    });
  await get();
  const startedAt = performance.now();
  let started = 0;
  const work = async () => {
    while (started++ < SMALL_REQUESTS) await get();
  };
  await Promise.all(Array.from({ length: parallel }, work));
  process.send?.(performance.now() - startedAt);
  agent.destroy();
};

const spawnSelf = (...args: ReadonlyArray<string>): ChildProcess => fork(import.meta.filename, args);

const small = async (url: string, proxyUrl: string, parallel: number): Promise<number> => {
  const [milliseconds] = await once(
    spawnSelf("client", `${url}/small`, proxyUrl, String(parallel)),
    "message"
  );
  return milliseconds as number;
};

const large = async (url: string, ...args: ReadonlyArray<string>): Promise<number> => {
  const curl = ["-sSf", "-o", "/dev/null", "-w", "%{time_total}", ...args, `${url}/large`];
  const { stdout } = await promisify(execFile)("curl", curl);
  return Number(stdout) * 1000;
};

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

const compare = async (title: string, ways: Readonly<Record<string, () => Promise<number>>>) => {
  const times = new Map(Object.keys(ways).map((way) => [way, [] as Array<number>]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [way, measure] of Object.entries(ways)) times.get(way)?.push(await measure());
  }
  const base = median([...times.values()][0] ?? []);
  for (const [way, values] of times) {
    const time = median(values);
    console.log(
      `${title.padEnd(34)} ${way.padEnd(9)} ${time.toFixed(1).padStart(8)} ms  ${(time / base).toFixed(2)}x`
    );
  }
};

const main = async () => {
  const site = spawnSelf("site");
  const [port] = await once(site, "message");
  const url = `http://127.0.0.1:${port}`;
  const benchmark = Effect.gen(function* () {
    const egress = yield* Egress;
    const { url: proxyUrl } = yield* egress.openProxy({ budgetBytes: 1e12 });
    yield* Effect.promise(async () => {
      for (const parallel of [1, 8]) {
        await compare(`${SMALL_REQUESTS} GETs of 10 kB, ${parallel} at a time`, {
          direct: () => small(url, "", parallel),
          proxy: () => small(url, proxyUrl, parallel)
        });
      }
      await compare("200 MB", {
        direct: () => large(url),
        proxy: () => large(url, "--proxy", proxyUrl),
        tunnel: () => large(url, "--proxytunnel", "--proxy", proxyUrl)
      });
    });
  });
  const layer = Egress.layer({ allow: [`127.0.0.1:${port}`] });
  await Effect.runPromise(benchmark.pipe(Effect.scoped, Effect.provide(layer)));
  site.kill();
};

const [role, url = "", proxyUrl = "", parallel = "1"] = process.argv.slice(2);
if (role === "site") await serveSite();
else if (role === "client") await runClient(url, proxyUrl, Number(parallel));
else await main();
