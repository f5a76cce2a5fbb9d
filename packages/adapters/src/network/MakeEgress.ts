/** Assembles the guard: parses its settings and creates one connection pool and, on demand, one proxy server. */
import { open, rm, type FileHandle } from "node:fs/promises";
import * as Effect from "effect/Effect";
import * as References from "effect/References";
import * as Scope from "effect/Scope";
import type { DownloadedFile, DownloadOptions, Egress, FetchedBody, FetchOptions } from "./Egress.ts";
import { EgressFailed, timedOut, toEgressFailed } from "./guard/EgressFailed.ts";
import { countRefusal, recordRefusal } from "./guard/EgressMetrics.ts";
import { makeRoute, type RouteSettings } from "./guard/EgressRoute.ts";
import { openGet, type GuardedClient } from "./guard/GuardedClient.ts";
import type { InvalidEgressSetting } from "./guard/AllowList.ts";
import { makePinnedAgent } from "./guard/PinnedAgent.ts";
import { startProxyServer } from "./ProxyServer.ts";
import type { EgressRefused } from "./guard/EgressRefused.ts";

export interface EgressSettings extends RouteSettings {
  /** Should include the operator's page, as in `Winnow/0.1 (+https://winnow.example.org)`. */
  readonly userAgent?: string | undefined;
}

const USER_AGENT_DEFAULT = "Winnow/0.1";

/** Shared: without a reason, each abort would create an error with an unused stack trace. */
const OVER = new Error("The request has ended.");

/**
 * Runs `work` with a time limit. Its signal is aborted when it ends for any reason, and interruption waits for its
 * clean-up.
 */
const within = <A>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, EgressFailed> =>
  Effect.callback<A, EgressFailed>((resume) => {
    const controller = new AbortController();
    const working = work(controller.signal)
      .then(
        (value) => resume(Effect.succeed(value)),
        (error) =>
          resume(error instanceof LocalFileFailed ? Effect.die(error) : Effect.fail(toEgressFailed(error, 0)))
      )
      .finally(() => controller.abort(OVER));
    return Effect.promise(() => {
      controller.abort(OVER);
      return working;
    });
  }).pipe(Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.fail(timedOut(timeoutMs)) }));

const fetchBody = async (client: GuardedClient, url: string, options: FetchOptions, signal: AbortSignal) => {
  const { body, ...response } = await openGet(client, url, options, signal);
  const chunks: Array<Uint8Array> = [];
  for await (const chunk of body) chunks.push(chunk);
  return { ...response, body: Buffer.concat(chunks) } satisfies FetchedBody;
};

/** A fault of the local disk, not of the remote side: a defect. */
class LocalFileFailed extends Error {}

const local = <A>(operation: Promise<A>): Promise<A> =>
  operation.catch((cause) => Promise.reject(new LocalFileFailed("The file cannot be written", { cause })));

const writeAll = async (
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  onBytes?: (sizeBytes: number) => void
) => {
  let sizeBytes = 0;
  for await (const chunk of body) {
    await local(file.writeFile(chunk));
    sizeBytes += chunk.length;
    onBytes?.(sizeBytes);
  }
  return sizeBytes;
};

const downloadFile = async (
  client: GuardedClient,
  url: string,
  path: string,
  { onBytes, ...options }: DownloadOptions,
  signal: AbortSignal
): Promise<DownloadedFile> => {
  // Media does not compress; unencoded responses keep their Content-Length.
  const headers = { "accept-encoding": "identity", ...options.headers };
  const { body, ...response } = await openGet(client, url, { ...options, headers }, signal);
  const file = await local(open(path, "w"));
  try {
    const sizeBytes = await writeAll(file, body, onBytes);
    await local(file.close());
    return { ...response, sizeBytes };
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
};

export const makeEgress: (
  settings: EgressSettings
) => Effect.Effect<Egress["Service"], InvalidEgressSetting, Scope.Scope> = Effect.fnUntraced(
  function* (settings) {
    const route = yield* makeRoute(settings, "page");
    const scope = yield* Effect.scope;
    const runFork = Effect.runForkWith(yield* Effect.context<never>());

    /** Log lines about denials carry the annotations of the requester, above all the run. */
    const onRefused = Effect.map(
      References.CurrentLogAnnotations,
      (annotations) =>
        (refused: EgressRefused, isRecorded = true): void => {
          const report = isRecorded ? recordRefusal(refused) : countRefusal(refused);
          runFork(Effect.annotateLogs(report, annotations));
        }
    );

    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => makePinnedAgent(route)),
      (pool) => Effect.promise(() => pool.destroy())
    );
    const userAgent = settings.userAgent ?? USER_AGENT_DEFAULT;
    const client: Effect.Effect<GuardedClient> = Effect.map(onRefused, (refusing) => ({
      route,
      agent,
      userAgent,
      onRefused: refusing
    }));

    const proxyServer = yield* Effect.acquireRelease(Effect.promise(startProxyServer), (server) =>
      Effect.promise(server.close)
    ).pipe(Effect.provideService(Scope.Scope, scope), Effect.cached);

    const proxySocket = Effect.flatMap(proxyServer, (server) => Effect.promise(server.socket));

    return {
      proxySocket,
      fetch: Effect.fn("Egress.fetch")((url: string, options: FetchOptions) =>
        Effect.flatMap(client, (httpClient) =>
          within(options.timeoutMs, (signal) => fetchBody(httpClient, url, options, signal))
        )
      ),
      download: Effect.fn("Egress.download")((url: string, path: string, options: DownloadOptions) =>
        Effect.flatMap(client, (httpClient) =>
          within(options.timeoutMs, (signal) => downloadFile(httpClient, url, path, options, signal))
        )
      ),
      openProxy: Effect.fn("Egress.openProxy")(function* ({ budgetBytes }: { readonly budgetBytes: number }) {
        const server = yield* proxyServer;
        const refusing = yield* onRefused;
        const { run, url } = yield* Effect.acquireRelease(
          Effect.sync(() => server.open({ route, budgetBytes, onRefused: refusing })),
          (opened) => Effect.promise(() => server.closeRun(opened.run))
        );
        return {
          url,
          denials: Effect.sync(() => [...run.denials]),
          unreachableCause: Effect.sync(() => run.unreachableCause),
          nextConnection: Effect.callback<void>((resume) => {
            const stop = run.onConnection(() => resume(Effect.void));
            return Effect.sync(stop);
          }),
          bytesUsed: Effect.sync(() => run.bytesUsed),
          exhausted: Effect.sync(() => run.exhausted)
        };
      })
    };
  }
);
