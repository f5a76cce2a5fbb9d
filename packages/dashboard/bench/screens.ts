/**
 * The cost of each screen, in a browser with a real server and the sample site: the largest contentful paint (LCP,
 * milliseconds after the start of the navigation), layout shift (CLS), and bytes over the wire.
 *
 *   node packages/dashboard/bench/screens.ts [LIGHTHOUSE]
 *
 * LIGHTHOUSE is the entry of an installed `lighthouse`, such as `/tmp/lh/node_modules/lighthouse/cli/index.js`: with
 * it, each screen's scores are printed too. Times depend on the machine and its load; scores and CLS hardly do.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Cookie, Page } from "playwright-core";
import { openBrowser } from "../test/Driven.ts";
import { findChromium, openStage, type Stage } from "../test/Stage.ts";

const SETTLE_MS = 2_000;
const OUTPUT_BYTES_MAX = 64 * 1_024 * 1_024;
const CATEGORIES = ["accessibility", "best-practices"] as const;
/** On a busy machine, its trace occasionally lacks the start. */
const TRIES_MAX = 3;

const TALK = {
  type: "object",
  properties: { speaker: { type: "string" }, topic: { type: "string" }, price: { type: "integer" } },
  required: ["speaker", "topic", "price"]
};

const lighthouse = process.argv[2];

/** layout-instability, "LayoutShift"; not among the types of the DOM. */
interface Shift {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

interface Vitals {
  readonly lcpMs: number;
  readonly cls: number;
  readonly bytes: number;
}

/** For the current page; `buffered` includes earlier entries. */
const vitalsOf = (page: Page): Promise<Vitals> =>
  page.evaluate(
    (settleMs) =>
      new Promise<Vitals>((resolve) => {
        let lcpMs = 0;
        let cls = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) lcpMs = entry.startTime;
        }).observe({ type: "largest-contentful-paint", buffered: true });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as ReadonlyArray<Shift>) {
            if (!entry.hadRecentInput) cls += entry.value;
          }
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => {
          const all = [
            ...performance.getEntriesByType("navigation"),
            ...performance.getEntriesByType("resource")
          ] as unknown as ReadonlyArray<PerformanceResourceTiming>;
          // Videos are not part of the app.
          const own = all.filter(({ initiatorType }) => !["video", "audio", "track"].includes(initiatorType));
          resolve({ lcpMs, cls, bytes: own.reduce((sum, { transferSize }) => sum + transferSize, 0) });
        }, settleMs);
      }),
    SETTLE_MS
  );

/** Scores out of 100, in the order of CATEGORIES, and the failed audits. */
const scoresOf = async (url: string, cookies: ReadonlyArray<Cookie>): Promise<string> => {
  if (lighthouse === undefined) return "";
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      lighthouse,
      url,
      "--quiet",
      "--output=json",
      `--only-categories=${CATEGORIES.join(",")}`,
      "--chrome-flags=--headless=new --no-sandbox",
      `--extra-headers=${JSON.stringify({ Cookie: cookie })}`
    ],
    { env: { ...process.env, CHROME_PATH: findChromium() ?? "" }, maxBuffer: OUTPUT_BYTES_MAX }
  );
  const report = JSON.parse(stdout) as {
    readonly categories: Record<
      string,
      {
        readonly score: number | null;
        readonly auditRefs: ReadonlyArray<{ readonly id: string; readonly weight: number }>;
      }
    >;
    readonly audits: Record<string, { readonly score: number | null }>;
  };
  const lost = CATEGORIES.flatMap((name) =>
    (report.categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id)
  );
  const scores = CATEGORIES.map((name) => Math.round(100 * (report.categories[name]?.score ?? 0)));
  return `${scores.join(" / ")}${lost.length === 0 ? "" : ` (${lost.join(", ")})`}`;
};

const triedScores = async (url: string, cookies: ReadonlyArray<Cookie>): Promise<string> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await scoresOf(url, cookies);
    } catch (error) {
      if (tries === TRIES_MAX) return /\(([A-Z_]+)\)/u.exec(String(error))?.[1] ?? "failed";
    }
  }
};

const seed = async ({
  client,
  site,
  talks
}: Stage): Promise<{ readonly talk: string; readonly page: string }> => {
  const talk = await client.submit({
    url: `${talks.url}/long-talk`,
    schema: TALK,
    inputs: ["transcript", "video"]
  });
  const page = await client.submit({ url: `${site}/article` });
  await client.submit({ url: `${site}/carousel` });
  for (const { id } of [talk, page]) await client.extractions.wait(id);
  return { talk: talk.id, page: page.id };
};

await using stage = await openStage();
await using driven = await openBrowser();
const context = await driven.context();
const page = await driven.page(context);
const ids = await seed(stage);
await page.goto(await stage.signInUrl());
await page.waitForSelector("[data-run]");
const screens = {
  list: "",
  preview: `?peek=${ids.talk}`,
  new: "new",
  talk: `runs/${ids.talk}`,
  article: `runs/${ids.page}`,
  schemas: "schemas",
  webhooks: "webhooks",
  keys: "keys",
  billing: "billing",
  account: "account",
  operator: "operator"
};
console.log("screen      LCP ms     CLS   KB   Lighthouse: accessibility / best practices");
for (const [name, path] of Object.entries(screens)) {
  const url = stage.app + path;
  await page.goto(url);
  await page.waitForSelector("h1");
  const { lcpMs, cls, bytes } = await vitalsOf(page);
  const scores = await triedScores(url, await context.cookies());
  const figures = [
    lcpMs.toFixed(0).padStart(8),
    cls.toFixed(3).padStart(7),
    (bytes / 1_000).toFixed(0).padStart(4)
  ];
  console.log(name.padEnd(10), ...figures, "", scores);
}
