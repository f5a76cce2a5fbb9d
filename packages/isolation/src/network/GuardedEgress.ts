/**
 * The guard of all outgoing connections: pages, media, webhooks, and the proxy for child processes.
 *
 * It resolves a name once, requires every address to be public, connects only to a checked address, and checks
 * every redirect. Its messages never reveal an internal address. Assembled here: settings are parsed, and there is one
 * connection pool a way and, on demand, one proxy server. Tests: EgressFetch.test.ts, EgressLayer.test.ts.
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as References from "effect/References";
import * as Scope from "effect/Scope";
import { LRUCache } from "lru-cache";
import type { Agent } from "undici";
import { Egress, type EgressWay, type FetchOptions, type WayOptions } from "./Egress.ts";
import { type EgressFailed, ProxyFailed, timedOut, toEgressFailed } from "./guard/EgressFailed.ts";
import { countRefusal, type EgressRefused, recordRefusal } from "./guard/EgressRefused.ts";
import { type EgressRoute, makeRoute, type RouteSettings } from "./guard/EgressRoute.ts";
import { get, type GuardedClient } from "./guard/GuardedClient.ts";
import type { InvalidEgressSetting } from "./guard/Guard.ts";
import { makePinnedAgent } from "./guard/PinnedAgent.ts";
import { startProxyServer } from "./ProxyServer.ts";

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
        (error) => resume(Effect.fail(toEgressFailed(error, 0)))
      )
      .finally(() => controller.abort(OVER));
    return Effect.promise(() => {
      controller.abort(OVER);
      return working;
    });
  }).pipe(Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.fail(timedOut(timeoutMs)) }));

/** Ways remembered with their connections; unused ones keep none for longer than a minute. */
const WAYS_MAX = 256;

/** A route with its own connections. */
interface Way {
  readonly route: EgressRoute;
  readonly agent: Agent;
}

const keyOf = ({ name, upstream }: WayOptions): string => JSON.stringify([name, upstream]);

/** The ways that were asked for, each with one connection pool. */
const makeWays = (guarded: EgressRoute) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(
        () =>
          new LRUCache<string, Way>({
            max: WAYS_MAX,
            // Requests under way end first.
            dispose: ({ agent }) => void agent.close().catch(() => {})
          })
      ),
      (ways) => Effect.promise(() => Promise.all([...ways.values()].map(({ agent }) => agent.destroy())))
    ),
    (ways) =>
      (options: WayOptions): Way => {
        const key = keyOf(options);
        const known = ways.get(key);
        if (known !== undefined) return known;
        const route = { ...guarded, upstream: options.upstream ?? guarded.upstream };
        const way = { route, agent: makePinnedAgent(route) };
        ways.set(key, way);
        return way;
      }
  );

const makeEgress: (
  settings: EgressSettings
) => Effect.Effect<Egress["Service"], InvalidEgressSetting, Scope.Scope> = Effect.fnUntraced(
  function* (settings) {
    const guarded = yield* makeRoute(settings, "page");
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

    const wayOf = yield* makeWays(guarded);
    const userAgent = settings.userAgent ?? USER_AGENT_DEFAULT;

    const proxyServer = yield* Effect.acquireRelease(Effect.promise(startProxyServer), (server) =>
      Effect.promise(server.close)
    ).pipe(Effect.provideService(Scope.Scope, scope), Effect.cached);

    const proxySocket = Effect.flatMap(proxyServer, (server) => Effect.promise(server.socket));

    const through = (options: WayOptions): EgressWay => {
      const { onProxyFailed = () => {} } = options;
      const onFailed = (error: unknown): void => {
        if (error instanceof ProxyFailed) onProxyFailed(error);
      };
      const client: Effect.Effect<GuardedClient> = Effect.map(onRefused, (refusing) => ({
        ...wayOf(options),
        userAgent,
        onRefused: refusing,
        onFailed
      }));
      return {
        fetch: Effect.fn("Egress.fetch")((url: string, fetchOptions: FetchOptions) =>
          Effect.flatMap(client, (httpClient) =>
            within(fetchOptions.timeoutMs, (signal) => get(httpClient, url, fetchOptions, signal))
          )
        ),
        openProxy: Effect.fn("Egress.openProxy")(function* ({
          budgetBytes
        }: {
          readonly budgetBytes: number;
        }) {
          const server = yield* proxyServer;
          const refusing = yield* onRefused;
          const { route } = wayOf(options);
          const { run, url } = yield* Effect.acquireRelease(
            Effect.sync(() => server.open({ route, budgetBytes, onRefused: refusing, onFailed })),
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
            exhausted: Effect.sync(() => run.exhausted)
          };
        })
      };
    };

    return { ...through({ name: "", upstream: null }), through, proxySocket };
  }
);

/** Fails with `InvalidEgressSetting` on settings that cannot be read. */
export const layer = (settings: EgressSettings): Layer.Layer<Egress, InvalidEgressSetting> =>
  Layer.effect(Egress, makeEgress(settings));
