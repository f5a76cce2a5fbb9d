/**
 * PageRenderer with the system's Chromium: one browser, started on demand and closed when idle, with a separate
 * context and proxy per page.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
import * as RcRef from "effect/RcRef";
import { endingWithParent } from "../../programs/process/BoundedProcess.ts";
import { PAGE_HEADERS } from "../PageHeaders.ts";
import { makeProgramFolder, makeRunFolder, sweepWorkDir } from "../../programs/process/RunFolder.ts";
import { Egress, type ProxySocket } from "../../network/Egress.ts";
import { PageNotRendered, PageRenderer, type RenderedPage, type RenderOptions } from "../PageRenderer.ts";
import { programFiles } from "../../programs/sandbox/programFiles.ts";
import {
  openSandbox,
  type Sandbox,
  type SandboxMissing,
  type SandboxSetting
} from "../../programs/sandbox/Sandbox.ts";
import { makeFairPermits } from "../../runtime/FairPermits.ts";
import { browserFlags } from "./ChromiumProgram.ts";
import { type HostProcess, startHost } from "./HostProcess.ts";
import {
  ANSWER_SLACK_MS,
  CLOSE_TIMEOUT_MS,
  IDLE_MS,
  RENDER_BUDGET_BYTES,
  RENDER_TIMEOUT_MS,
  RENDERS_AT_ONCE_MAX,
  RENDERS_FOR_NEWCOMERS
} from "./RenderLimits.ts";
import type { RenderAnswer, RenderTask } from "./RenderMessages.ts";

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

/** As root, Chromium only starts without its own sandbox; in our sandbox the user is never root. */
const canSandbox = (): boolean => process.getuid?.() !== 0;

/** Short name: Chromium creates a socket in it, whose path is limited to 107 characters. */
const WORKING_FOLDER = "/proc/self/cwd";

/** The sandbox around the browser; null where programs run without one. */
interface Confinement {
  readonly sandbox: Sandbox;
  readonly proxySocket: ProxySocket;
}

const startBrowser = Effect.fnUntraced(function* (
  { program, workDir }: ChromiumOptions,
  confinement: Confinement | null
) {
  const run = yield* makeRunFolder(workDir);
  const folder = yield* makeProgramFolder(run);
  const command =
    confinement === null
      ? endingWithParent([program])
      : confinement.sandbox.confine(
          {
            folder,
            proxySocket: confinement.proxySocket,
            readable: programFiles(program),
            // Chromium's own sandbox consists of them; without, it does not start.
            nestsNamespaces: true
          },
          [program]
        );
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    TMPDIR: process.platform === "linux" ? WORKING_FOLDER : folder,
    LANG: "C.UTF-8",
    // Otherwise it looks for a session bus and logs that there is none.
    DBUS_SESSION_BUS_ADDRESS: "disabled:"
  };
  const host = yield* Effect.acquireRelease(
    Effect.sync(() =>
      startHost({
        folder,
        // In a sandbox, the browser must not be able to change files of the process outside.
        hostFolder: confinement === null ? folder : run.path,
        environment,
        confined: confinement !== null,
        command,
        flags: browserFlags({
          profileFolder: `${folder}/profile`,
          sandbox: confinement !== null || canSandbox()
        })
      })
    ),
    (started) => Effect.promise(() => started.end())
  );
  const version = yield* Effect.promise(() => host.ready);
  if (version === null) {
    yield* Effect.logWarning("Chromium did not start").pipe(
      Effect.annotateLogs({ program, complaint: host.startError() })
    );
    return yield* notRendered("unavailable");
  }
  return host;
});

/** Null if the whole browser has exited, or hangs and must be killed. */
const ask = (host: HostProcess, task: Omit<RenderTask, "id">): Effect.Effect<RenderAnswer | null> =>
  Effect.callback<RenderAnswer | null>((resume) => {
    const pending = host.render(task);
    void pending.answer.then((answer) => resume(Effect.succeed(answer)));
    return Effect.promise(() => {
      pending.cancel();
      const killer = setTimeout(() => void host.end(), CLOSE_TIMEOUT_MS);
      return pending.answer.then(() => clearTimeout(killer));
    });
  }).pipe(
    Effect.timeoutOrElse({
      duration: task.timeoutMs + ANSWER_SLACK_MS,
      orElse: () => Effect.succeed(null)
    })
  );

const make = Effect.fnUntraced(function* (options: ChromiumOptions) {
  const egress = yield* Egress;
  yield* sweepWorkDir(options.workDir);
  const sandbox = yield* openSandbox(options.sandbox ?? "auto");
  const confinement = sandbox === null ? null : { sandbox, proxySocket: yield* egress.proxySocket };
  const permits = makeFairPermits(RENDERS_AT_ONCE_MAX, { forNewcomers: RENDERS_FOR_NEWCOMERS });
  const browser = yield* RcRef.make({
    acquire: startBrowser(options, confinement),
    idleTimeToLive: options.idleMs ?? IDLE_MS
  });

  const renderWith = Effect.fnUntraced(function* (host: HostProcess, url: string) {
    const proxy = yield* egress.openProxy({ budgetBytes: RENDER_BUDGET_BYTES });
    const { origin, password, username } = new URL(proxy.url);
    const answer = yield* ask(host, {
      url,
      timeoutMs: options.timeoutMs ?? RENDER_TIMEOUT_MS,
      userAgent: PAGE_HEADERS["user-agent"] ?? "",
      proxy: { server: origin, username, password }
    });
    if (answer === null) {
      yield* RcRef.invalidate(browser);
      return yield* notRendered("crashed");
    }
    if (yield* proxy.exhausted) return yield* notRendered("too_large");
    return "page" in answer ? answer.page : yield* notRendered(answer.failed);
  });

  const render = Effect.fn("PageRenderer.render")(function* (
    url: string,
    { accountId, onTurn = Effect.void }: RenderOptions
  ): Effect.fn.Return<RenderedPage, PageNotRendered, never> {
    return yield* Effect.gen(function* () {
      yield* onTurn;
      const host = yield* RcRef.get(browser);
      // It may have died while idle.
      if (host.alive()) return yield* renderWith(host, url);
      yield* RcRef.invalidate(browser);
      return yield* renderWith(yield* RcRef.get(browser), url);
    }).pipe(
      Effect.scoped,
      permits.withPermit(accountId),
      Effect.tap((page) => count(page.settled ? "settled" : "unsettled")),
      Effect.tapError(({ reason }) => count(reason))
    );
  });
  return PageRenderer.of({ render });
});

export const layer = (options: ChromiumOptions): Layer.Layer<PageRenderer, SandboxMissing, Egress> =>
  Layer.effect(PageRenderer, make(options));
