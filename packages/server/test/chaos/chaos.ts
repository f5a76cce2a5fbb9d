/**
 * Runs the chaos test for a given time; prints what happened, and exits with 1 on a violation.
 *
 *     node packages/server/test/chaos/chaos.ts --minutes 25 --seed 7 --workers 4 --apis 2
 *     node packages/server/test/chaos/chaos.ts --faults killWorker,killApi --kills 1000 --every 3
 *     node packages/server/test/chaos/chaos.ts --faults killWorker,killApi --kills 30 --callers 0 --batch 1000 --page-ms 400
 */
import { parseArgs } from "node:util";
import { FAULT_NAMES } from "./Faults.ts";
import { runChaos } from "./runChaos.ts";

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const PAUSE_MS_MAX = 400;
/** By then, orphaned files are removed and every run has ended. */
const REST_MS_MAX = 5 * MINUTE_MS;

const text = (standard: string) => ({ type: "string", default: standard }) as const;
const { values } = parseArgs({
  options: {
    minutes: text("3"),
    seed: text("1"),
    apis: text("2"),
    workers: text("4"),
    /** Seconds between two faults on average. */
    every: text("3"),
    callers: text("6"),
    /** Items of a batch that is created before the first fault. */
    batch: text("0"),
    /** Maximum delay of a page. */
    "page-ms": text("2500"),
    kills: text("1000000"),
    faults: text(FAULT_NAMES.join(","))
  }
});

const wanted = values.faults.split(",");
const report = await runChaos({
  seed: Number(values.seed),
  forMs: Number(values.minutes) * MINUTE_MS,
  apis: Number(values.apis),
  workers: Number(values.workers),
  faultEveryMs: Number(values.every) * SECOND_MS,
  callers: Number(values.callers),
  batchItems: Number(values.batch),
  pageMsMax: Number(values["page-ms"]),
  pauseMsMax: PAUSE_MS_MAX,
  restMsMax: REST_MS_MAX,
  killsMax: Number(values.kills),
  tell: (line) => console.error(line),
  faults: FAULT_NAMES.filter((name) => wanted.includes(name))
});
console.log(JSON.stringify(report, null, 2));
process.exitCode = report.broken.length === 0 ? 0 : 1;
