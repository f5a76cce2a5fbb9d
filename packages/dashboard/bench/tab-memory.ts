/**
 * Memory of a tab after an hour with the list open, which is requested every 5 s, of an account that submits
 * continuously (6 a minute). The page's clock runs as fast as it draws. The heap is measured after a collection,
 * through the debugger.
 *
 *   node packages/dashboard/bench/tab-memory.ts [HOURS]
 *
 * The app is the built one from a real server; a proxy in front of it generates the list.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CDPSession, Page } from "playwright-core";
import { openBrowser } from "../test/Driven.ts";
import { openStage } from "../test/Stage.ts";

const RUNS_PER_HOUR = 360;
const REFRESH_MS = 5_000;
/** A minute has 12 refreshes for 6 runs: each is seen running, then complete. */
const REFRESHES_PER_RUN = 2;
const PAGE_SIZE = 50;
const MEGABYTE = 1_048_576;

const hours = Number(process.argv[2] ?? 1);

type Status = "running" | "complete";

const itemOf = (number: number, status: Status) => ({
  id: `ext_${String(number).padStart(6, "0")}`,
  url: `https://example.com/talks/${number}`,
  status,
  createdAt: new Date(Date.UTC(2026, 10, 22) + number * 10_000).toISOString(),
  completedAt:
    status === "complete" ? new Date(Date.UTC(2026, 10, 22) + number * 10_000 + 8_000).toISOString() : null,
  creditsDebited: 94,
  creditsRefunded: 0,
  cached: false,
  outcome: status === "complete" ? "ok" : null,
  title: `A talk about sieves, number ${number}`,
  kind: "video",
  durationSec: 600,
  thumbnail: null,
  madeBy: "api",
  apiKeyName: "nightly import"
});

const items: Array<ReturnType<typeof itemOf>> = [];
let answered = 0;

/** Newest first, as the server has it; without further pages. */
const listPage = () => ({ data: items.toReversed().slice(0, PAGE_SIZE), has_more: false, next_cursor: null });

const answerSelf = (asked: IncomingMessage, answer: ServerResponse): boolean => {
  const { pathname } = new URL(asked.url ?? "/", "http://proxy");
  if (pathname !== "/v1/extractions" || asked.method !== "GET") return false;
  answered += 1;
  answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(listPage()));
  return true;
};

const startProxy = async (toPort: number): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer((asked, answer) => {
    if (answerSelf(asked, answer)) return;
    const to = {
      host: "127.0.0.1",
      port: toPort,
      path: asked.url,
      method: asked.method,
      headers: asked.headers
    };
    const passed = request(to, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

/** One run while it is running, then complete, each with a refresh of the list. */
const oneRun = async (page: Page, number: number): Promise<void> => {
  const statuses: ReadonlyArray<Status> = ["running", "complete"];
  for (let step = 0; step < REFRESHES_PER_RUN; step += 1) {
    items[number] = itemOf(number, statuses[step] ?? "complete");
    const refreshed = page.waitForResponse((response) => response.url().includes("/v1/extractions?"));
    await page.clock.runFor(REFRESH_MS);
    await refreshed;
  }
};

interface Weight {
  readonly heapMb: number;
  readonly nodes: number;
  readonly listeners: number;
}

const weigh = async (session: CDPSession): Promise<Weight> => {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  return { heapMb: usedSize / MEGABYTE, nodes, listeners: jsEventListeners };
};

const tell = async (label: string, page: Page, session: CDPSession): Promise<void> => {
  const { heapMb, nodes, listeners } = await weigh(session);
  const rows = await page.locator("[data-run]").count();
  console.log(
    `${label.padEnd(22)} heap ${heapMb.toFixed(1)} MB, ${rows} rows, ${nodes} nodes, ${listeners} listeners, ${answered} answers`
  );
};

await using stage = await openStage();
await using driven = await openBrowser();
const context = await driven.context();
const page = await driven.page(context);
await page.goto(await stage.signInUrl());
await page.waitForSelector("text=Nothing extracted yet");
const proxy = await startProxy(Number(new URL(stage.server.url).port));
for (let number = 0; number < PAGE_SIZE; number += 1) items[number] = itemOf(number, "complete");
// Cookies ignore ports, so the session also works behind the proxy.
await page.goto(`${proxy.url}/app/`);
await page.waitForSelector("[data-run]");
const session = await context.newCDPSession(page);
await page.clock.install();
await tell("at the beginning", page, session);
for (let hour = 1; hour <= hours; hour += 1) {
  for (let run = 0; run < RUNS_PER_HOUR; run += 1) await oneRun(page, items.length);
  const last = items.at(-1)?.id ?? "";
  await page.waitForSelector(`[data-run="${last}"] .status.done`);
  await tell(`after ${hour} h`, page, session);
}
proxy.close();
