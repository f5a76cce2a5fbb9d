/**
 * The cost of rendering a page: time of the first and of later pages, and memory of all processes of the
 * browser. `node packages/adapters/bench/page-render.ts [pages]`
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { findChromium } from "../src/pages/browser/ChromiumProgram.ts";
import * as ChromiumRenderer from "../src/pages/browser/ChromiumRenderer.ts";
import { QUIET_MS } from "../src/pages/browser/RenderLimits.ts";
import { Egress } from "../src/network/Egress.ts";
import { PageRenderer } from "../src/pages/PageRenderer.ts";

const PAGES = Number(process.argv[2] ?? 10);

const SHELL = `<!doctype html><title>App</title><div id=root></div><script>
  fetch("/api").then((r) => r.json()).then(({ items }) => {
    root.innerHTML = items.map((item) => "<p>" + item + "</p>").join("");
  })</script>`;
const ITEMS = JSON.stringify({ items: Array.from({ length: 2_000 }, (_, i) => `Item ${i} of a long list.`) });

const server = createServer((request, response) =>
  response.setHeader("content-type", "text/html").end(request.url === "/api" ? ITEMS : SHELL)
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const workDir = mkdtempSync(join(tmpdir(), "winnow-bench-"));

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
};

/** Shared memory is divided among the processes that share it. */
const proportionalBytes = (): number => {
  let kilobytes = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/u.test(pid) || Number(pid) === process.pid) continue;
    if (!textOf(`/proc/${pid}/environ`).includes(workDir)) continue;
    kilobytes += Number(/^Pss:\s+(\d+)/mu.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
  }
  return kilobytes * 1_024;
};

const program = findChromium();
if (program === null) throw new Error("There is no Chromium on PATH.");

const bench = Effect.gen(function* () {
  const { render } = yield* PageRenderer;
  const times: Array<number> = [];
  let peakBytes = 0;
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, proportionalBytes())), 200);
  for (let page = 0; page <= PAGES; page++) {
    const startedAtMs = performance.now();
    yield* render(`http://${authority}/?${page}`, { accountId: "acc_test" });
    times.push(performance.now() - startedAtMs);
  }
  clearInterval(timer);
  const [first = 0, ...later] = times;
  const sorted = later.toSorted((one, other) => one - other);
  return {
    firstMs: Math.round(first),
    laterMedianMs: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    ofWhichWaitingForRestMs: QUIET_MS,
    peakMB: Math.round(peakBytes / 1e6),
    idleMB: Math.round(proportionalBytes() / 1e6)
  };
});

const report = await Effect.runPromise(
  bench.pipe(
    Effect.provide(
      ChromiumRenderer.layer({ program, workDir }).pipe(
        Layer.provide(Egress.layer({ allow: [authority] }).pipe(Layer.orDie))
      )
    )
  )
);
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
server.close();
rmSync(workDir, { recursive: true, force: true });
