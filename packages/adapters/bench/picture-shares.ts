/**
 * One account's thumbnails while another converts 70 pictures of 8000 x 8000, against alone, and what memory all of
 * it takes: this process and those it starts. Budget: p95 at most 1.5x; at most 600 MB at the peak, within 20 % of
 * the start after a minute.
 *
 *     [WINNOW_SANDBOX=off] node packages/adapters/bench/picture-shares.ts [pictures] [seconds to wait for memory to return]
 */
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as Effect from "effect/Effect";
import sharp from "sharp";
import { examineSandbox } from "../src/programs/sandbox/Sandbox.ts";
import { makeJpeg } from "../src/programs/pictures/Images.ts";
import { median } from "./timing.ts";

const [pictures = 70, waitSeconds = 60] = process.argv.slice(2).map(Number);
const SIDE_PIXELS = 8_000;
const THUMBNAILS = 40;
const SIZE = { sideMaxPixels: 4_096, quality: 88 };
const BYTES_PER_MB = 1_000_000;
const BYTES_PER_KIB = 1_024;

const pictureOf = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#345",
      noise: { type: "gaussian", mean: 120, sigma: 12 }
    }
  });

/** Of a process, by number; those that are gone have none. */
const parentsOf = (pids: ReadonlyArray<number>): ReadonlyMap<number, number> =>
  new Map(
    pids.flatMap((pid) => {
      try {
        const [, parent] = /\) \S (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
        return [[pid, Number(parent)] as const];
      } catch {
        return [];
      }
    })
  );

/** Memory of this process and all below it in bytes, what they share counted once (PSS). */
const memoryBytes = (): number => {
  const pids = readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid))
    .map(Number);
  const parents = parentsOf(pids);
  const isBelow = (pid: number | undefined): boolean =>
    pid === process.pid || (pid !== undefined && pid > 1 && isBelow(parents.get(pid)));
  return pids.filter(isBelow).reduce((sum, pid) => {
    try {
      const [, kib] = /^Pss:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1")) ?? [];
      return sum + Number(kib) * BYTES_PER_KIB;
    } catch {
      return sum;
    }
  }, 0);
};

const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.95)] ?? Number.NaN;

const report = await examineSandbox();
const sandbox = report.works && process.env["WINNOW_SANDBOX"] !== "off" ? report.sandbox : null;

const convert = (accountId: string, bytes: Uint8Array) =>
  Effect.runPromise(makeJpeg({ accountId, sandbox }, bytes, SIZE));

const thumbnailTimes = async (thumbnail: Uint8Array): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = [];
  for (let n = 0; n < THUMBNAILS; n++) {
    const startMs = performance.now();
    await convert("victim", thumbnail);
    times.push(performance.now() - startMs);
  }
  return times;
};

const thumbnail = await pictureOf(1_280, 720).jpeg().toBuffer();
const makeLarge = async (): Promise<Buffer> => {
  const { stdout } = await import("node:child_process").then(({ spawnSync }) =>
    spawnSync(process.execPath, [import.meta.filename, "large"], { maxBuffer: 2 ** 28 })
  );
  return stdout;
};

if (process.argv[2] === "large") {
  process.stdout.write(await pictureOf(SIDE_PIXELS, SIDE_PIXELS).jpeg({ quality: 60 }).toBuffer());
} else {
  const large = await makeLarge();
  await convert("victim", thumbnail);
  const startBytes = memoryBytes();
  const alone = await thumbnailTimes(thumbnail);
  let peakBytes = 0;
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, memoryBytes())), 50);
  // As a run does, which writes each away: 70 kept here would be this script's memory, not the server's.
  const burst = Promise.all(
    Array.from({ length: pictures }, () => convert("burst", large).then(() => undefined))
  );
  const beside = await thumbnailTimes(thumbnail);
  await burst;
  clearInterval(timer);
  const [aloneMs, besideMs] = [p95(alone), p95(beside)];
  console.log(
    `a thumbnail, median: alone ${median(alone).toFixed(0)} ms, beside ${median(beside).toFixed(0)} ms; p95: alone ${aloneMs.toFixed(0)} ms, beside ${pictures} of ${SIDE_PIXELS} x ${SIDE_PIXELS} ${besideMs.toFixed(0)} ms: ratio ${(besideMs / aloneMs).toFixed(2)} (budget 1.50)`
  );
  await sleep(waitSeconds * 1_000);
  const mb = (bytes: number) => (bytes / BYTES_PER_MB).toFixed(0);
  console.log(
    `memory: ${mb(startBytes)} MB before, ${mb(peakBytes)} MB at the peak (budget 600), ${mb(memoryBytes())} MB ${waitSeconds} s after`
  );
}
