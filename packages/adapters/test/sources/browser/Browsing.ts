/** Shared by the tests of the renderer: the real browser behind the real guard, and reading /proc. */
import * as GuardedEgress from "@winnow/isolation/network/GuardedEgress";
import { inRun } from "@winnow/testing/samples/samples";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as References from "effect/References";
import { afterAll } from "vitest";
import { findChromium } from "../../../src/sources/browser/ChromiumProgram.ts";
import { isInstalled } from "../../../src/runtime/OptionalPackage.ts";
import * as ChromiumRenderer from "../../../src/sources/browser/ChromiumRenderer.ts";
import { type EgressSettings } from "@winnow/isolation/network/index";
import type { PageRenderer } from "../../../src/sources/browser/PageRenderer.ts";

/** Null if Chromium is not installed: its tests are then skipped. */
export const CHROMIUM = isInstalled("playwright-core") ? findChromium() : null;

export const SKIPPED = CHROMIUM === null ? " (skipped: no Chromium on PATH)" : "";

export const workFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-chromium-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A refused connection, as it is logged. */
export interface DeniedLine {
  readonly host: unknown;
  readonly port: unknown;
  readonly reason: unknown;
}

/** Pushes each refusal that the guard logs to `lines`. */
const recording = (lines: Array<DeniedLine>) =>
  Logger.layer([
    Logger.make(({ fiber, message }) => {
      if (!String(message).includes("Outgoing connection refused")) return;
      const { host, port, reason } = fiber.getRef(References.CurrentLogAnnotations);
      lines.push({ host, port, reason });
    })
  ]);

export interface BrowserOptions extends Partial<EgressSettings> {
  readonly workDir: string;
  readonly idleMs?: number;
  readonly timeoutMs?: number;
  readonly program?: string;
  readonly denied?: Array<DeniedLine>;
}

/** The real browser behind the real guard. */
export const browser = ({
  workDir,
  idleMs,
  timeoutMs,
  denied = [],
  program = CHROMIUM ?? "",
  ...settings
}: BrowserOptions): Layer.Layer<PageRenderer> =>
  Layer.fresh(
    ChromiumRenderer.layer({
      program,
      workDir,
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(timeoutMs === undefined ? {} : { timeoutMs })
    }).pipe(Layer.provide(GuardedEgress.layer({ allow: [], ...settings })))
  ).pipe(Layer.orDie, Layer.provide(recording(denied)), inRun);

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
};

/** Running processes that were started for `workDir`, by their environment and command line; Linux only. */
export const processesOf = (workDir: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((pid) => ["environ", "cmdline"].some((file) => textOf(`/proc/${pid}/${file}`).includes(workDir)))
    .map(Number);

/** Processes that drive a browser, one per browser; process ids may be reused. */
export const hostsOf = (workDir: string): ReadonlyArray<number> =>
  processesOf(workDir).filter((pid) => textOf(`/proc/${pid}/cmdline`).includes("RenderHost"));

export const environmentOf = (pid: number): ReadonlyArray<string> =>
  textOf(`/proc/${pid}/environ`)
    .split("\0")
    .filter((entry) => entry !== "");

/** Total anonymous memory of the processes. */
export const residentBytes = (pids: ReadonlyArray<number>): number =>
  pids
    .map((pid) => Number(/^RssAnon:\s+(\d+)/mu.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024)
    .reduce((sum, bytes) => sum + bytes, 0);

/** The maximum of `measure` while `work` runs. */
export const peakOf = <A, E, R>(work: Effect.Effect<A, E, R>, measure: () => number) =>
  Effect.gen(function* () {
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, measure())), 100);
    const value = yield* Effect.ensuring(
      work,
      Effect.sync(() => clearInterval(timer))
    );
    return { value, peak };
  });
