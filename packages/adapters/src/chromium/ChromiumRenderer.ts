/**
 * PageRenderer over system Chromium: one browser, started when first needed and closed when idle; a context
 * and a proxy of its own for each page.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
import * as RcRef from "effect/RcRef";
import { mortal } from "../programs/BoundedProcess.ts";
import { PAGE_HEADERS } from "../page/PageHeaders.ts";
import { makeRunFolder, sweepWorkDir } from "../programs/RunFolder.ts";
import { Egress, type ProxyDoor } from "../egress/Egress.ts";
import {
  PageNotRendered,
  PageRenderer,
  type RenderedPage,
  type RenderOptions
} from "../page/PageRenderer.ts";
import { programFiles } from "../programs/sandbox/programFiles.ts";
import {
  openSandbox,
  type Sandbox,
  type SandboxMissing,
  type SandboxSetting
} from "../programs/sandbox/Sandbox.ts";
import { makeFairPermits } from "../shares/FairPermits.ts";
import { browserFlags } from "./browserFlags.ts";
import { type HostProcess, startHost } from "./HostProcess.ts";
import {
  ANSWER_SLACK_MS,
  CLOSE_TIMEOUT_MS,
  IDLE_MS,
  RENDER_BUDGET_BYTES,
  RENDER_TIMEOUT_MS,
  RENDERS_AT_ONCE_MAX
} from "./RenderLimits.ts";
import type { RenderAnswer, RenderTask } from "./RenderMessages.ts";

export interface ChromiumOptions {
  /** Absolute path of the browser. */
  readonly program: string;
  /** Folder of all runs' working folders; made when absent. */
  readonly workDir: string;
  /** Default `auto`. */
  readonly sandbox?: SandboxSetting;
  /** Default: as long as its limit says. */
  readonly idleMs?: number;
}

const rendered = Metric.counter("winnow_pages_rendered_total", {
  description: "Pages rendered in the browser, by outcome",
  incremental: true
});

const count = (outcome: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(rendered, { outcome }), 1);

const MESSAGES: Readonly<Record<PageNotRendered["reason"], string>> = {
  unavailable: "The browser does not start.",
  timeout: "Rendering the page timed out.",
  too_large: "The page is too large, or loads too much.",
  unreachable: "The browser could not reach the page.",
  crashed: "The page crashed, or took too much memory."
};

const notRendered = (reason: PageNotRendered["reason"], message = MESSAGES[reason]): PageNotRendered =>
  new PageNotRendered({ reason, message });

/** Under root Chromium starts without its own sandbox only; in ours nobody is root. */
const canSandbox = (): boolean => process.getuid?.() !== 0;

/** By its short name: Chromium makes a socket in it, whose path may have 107 characters. */
const WORKING_FOLDER = "/proc/self/cwd";

/** What stands around the browser; null where programs run without a sandbox. */
interface Walls {
  readonly sandbox: Sandbox;
  readonly door: ProxyDoor;
}

const startBrowser = Effect.fnUntraced(function* (
  { program, workDir }: ChromiumOptions,
  walls: Walls | null
) {
  const folder = yield* makeRunFolder(workDir);
  const command =
    walls === null
      ? mortal([program])
      : walls.sandbox.confine({ folder, door: walls.door, readable: programFiles(program) }, [program]);
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    TMPDIR: process.platform === "linux" ? WORKING_FOLDER : folder,
    LANG: "C.UTF-8",
    // Without, it looks for a session bus and logs that there is none.
    DBUS_SESSION_BUS_ADDRESS: "disabled:"
  };
  const host = yield* Effect.acquireRelease(
    Effect.sync(() =>
      startHost({
        folder,
        environment,
        confined: walls !== null,
        command,
        flags: browserFlags({ profileFolder: `${folder}/profile`, sandbox: walls !== null || canSandbox() })
      })
    ),
    (started) => Effect.promise(() => started.end())
  );
  const version = yield* Effect.promise(() => host.ready);
  if (version === null) {
    yield* Effect.logWarning("Chromium did not start").pipe(
      Effect.annotateLogs({ program, complaint: host.complaint() })
    );
    return yield* notRendered("unavailable");
  }
  return host;
});

/** Null when the whole browser is gone, or has to go because it hangs. */
const ask = (host: HostProcess, task: Omit<RenderTask, "id">): Effect.Effect<RenderAnswer | null> =>
  Effect.callback<RenderAnswer | null>((resume) => {
    const ticket = host.render(task);
    void ticket.answer.then((answer) => resume(Effect.succeed(answer)));
    return Effect.promise(() => {
      ticket.cancel();
      const killer = setTimeout(() => void host.end(), CLOSE_TIMEOUT_MS);
      return ticket.answer.then(() => clearTimeout(killer));
    });
  }).pipe(
    Effect.timeoutOrElse({
      duration: RENDER_TIMEOUT_MS + ANSWER_SLACK_MS,
      orElse: () => Effect.succeed(null)
    })
  );

const make = Effect.fnUntraced(function* (options: ChromiumOptions) {
  const egress = yield* Egress;
  yield* sweepWorkDir(options.workDir);
  const sandbox = yield* openSandbox(options.sandbox ?? "auto");
  const walls = sandbox === null ? null : { sandbox, door: yield* egress.proxyDoor };
  const permits = makeFairPermits(RENDERS_AT_ONCE_MAX);
  const browser = yield* RcRef.make({
    acquire: startBrowser(options, walls),
    idleTimeToLive: options.idleMs ?? IDLE_MS
  });

  const renderWith = Effect.fnUntraced(function* (host: HostProcess, url: string) {
    const proxy = yield* egress.openProxy({ budgetBytes: RENDER_BUDGET_BYTES });
    const { origin, password, username } = new URL(proxy.url);
    const answer = yield* ask(host, {
      url,
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
      // It may have died while nobody used it.
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
