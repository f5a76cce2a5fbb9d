/**
 * PageRenderer with the system's Chromium: one browser, started on demand and closed when idle, with a separate
 * context and proxy per page.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
import { answerReader } from "@winnow/isolation/worker/WorkerProcess";
import { NO_BYTES } from "@winnow/isolation/process/Frames";
import { keepServer } from "@winnow/isolation/process/keepServer";
import type { ServerProcess } from "@winnow/isolation/process/ServerProcess";
import { PAGE_HEADERS } from "../PageHeaders.ts";
import { makeWorkDir } from "@winnow/isolation/process/RunFolder";
import { Egress, type EgressWay } from "@winnow/isolation/network/Egress";
import { PageNotRendered, PageRenderer, type RenderedPage, type RenderOptions } from "./PageRenderer.ts";
import { openSandbox, type SandboxMissing, type SandboxSetting } from "@winnow/isolation/sandbox/Sandbox";
import { inTurnOfRun, makeFairPermits } from "@winnow/isolation/runtime/FairPermits";
import { startBrowser } from "./BrowserProcess.ts";
import {
  ANSWER_SLACK_MS,
  IDLE_MS,
  RENDER_BUDGET_BYTES,
  RENDER_TIMEOUT_MS,
  RENDERS_AT_ONCE_MAX,
  RENDERS_FOR_NEWCOMERS
} from "./RenderLimits.ts";
import { RenderAnswer, type RenderTask } from "./RenderMessages.ts";

export interface ChromiumOptions {
  /** Absolute path of the browser. */
  readonly program: string;
  /** Parent of all runs' working folders; created if missing. */
  readonly workDir: string;
  /** Default `auto`. */
  readonly sandbox?: SandboxSetting;
  /** Time without pages after which the browser ends. Default: {@link IDLE_MS}. */
  readonly idleMs?: number;
  /** Time limit of a page. Default: {@link RENDER_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
}

const rendered = Metric.counter("winnow_pages_rendered_total", {
  description: "Pages rendered in the browser, by outcome",
  incremental: true
});

const count = (outcome: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(rendered, { outcome }), 1);

const MESSAGES: Readonly<Record<PageNotRendered["reason"], string>> = {
  unavailable: "The browser did not start.",
  timeout: "Rendering the page timed out.",
  too_large: "The page is too large, or loads too much.",
  unreachable: "The browser could not load the page.",
  crashed: "The page crashed, or took too much memory."
};

const notRendered = (reason: PageNotRendered["reason"], message = MESSAGES[reason]): PageNotRendered =>
  new PageNotRendered({ reason, message });

const readAnswer = answerReader(RenderAnswer);

const make = Effect.fnUntraced(function* (options: ChromiumOptions) {
  const egress = yield* Egress;
  const workDir = yield* makeWorkDir(options.workDir);
  const sandbox = yield* openSandbox(options.sandbox ?? "auto");
  const confinement = sandbox === null ? null : { sandbox, proxySocket: yield* egress.proxySocket };
  const inTurn = inTurnOfRun(makeFairPermits(RENDERS_AT_ONCE_MAX, { forNewcomers: RENDERS_FOR_NEWCOMERS }));
  const { program, idleMs = IDLE_MS, timeoutMs = RENDER_TIMEOUT_MS } = options;
  const started = startBrowser({ program, workDir, confinement }).pipe(
    Effect.catchTag("ServerEnded", ({ message }) =>
      Effect.logWarning("Chromium did not start").pipe(
        Effect.annotateLogs({ program, complaint: message }),
        Effect.andThen(notRendered("unavailable"))
      )
    )
  );
  const browser = yield* keepServer(started, idleMs);

  const renderWith = Effect.fnUntraced(function* (host: ServerProcess, url: string, way: EgressWay) {
    const proxy = yield* way.openProxy({ budgetBytes: RENDER_BUDGET_BYTES });
    const { origin, password, username } = new URL(proxy.url);
    const task: RenderTask = {
      url,
      timeoutMs,
      userAgent: PAGE_HEADERS["user-agent"] ?? "",
      proxy: { server: origin, username, password }
    };
    // Without an answer, the whole browser has exited, or it hangs and is ended.
    const answer = yield* host.ask({ header: task, bytes: NO_BYTES }).pipe(
      Effect.timeout(timeoutMs + ANSWER_SLACK_MS),
      Effect.flatMap(readAnswer),
      Effect.mapError(() => notRendered("crashed"))
    );
    if (yield* proxy.exhausted) return yield* notRendered("too_large");
    return "page" in answer ? answer.page : yield* notRendered(answer.failed);
  });

  const render = Effect.fn("PageRenderer.render")(function* (
    url: string,
    { egress: way = egress, onTurn = Effect.void }: RenderOptions = {}
  ): Effect.fn.Return<RenderedPage, PageNotRendered, never> {
    return yield* Effect.gen(function* () {
      yield* onTurn;
      return yield* renderWith(yield* browser, url, way);
    }).pipe(
      Effect.scoped,
      inTurn,
      Effect.tap((page) => count(page.settled ? "settled" : "unsettled")),
      Effect.tapError(({ reason }) => count(reason))
    );
  });
  return PageRenderer.of({ render });
});

export const layer = (options: ChromiumOptions): Layer.Layer<PageRenderer, SandboxMissing, Egress> =>
  Layer.effect(PageRenderer, make(options));
