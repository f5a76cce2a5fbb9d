/**
 * The services of one run (`routedServices`): those that all runs share, by the run's way (Ways.ts), which is told what
 * came of each request. Also where its programs run (`openPlace`) and when they start (`startInTurn`,
 * ProgramStarts.test.ts; before you change it: bench/inspect-shares.ts).
 */
import { availableParallelism } from "node:os";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import { makeFairPermits, type Restore } from "@winnow/isolation/runtime/FairPermits";
import { ProcessFailed } from "@winnow/isolation/process/BoundedProcess";
import { makeRunFolder } from "@winnow/isolation/process/RunFolder";
import type { YtDlp, YtDlpPlace } from "../yt-dlp/YtDlp.ts";
import type { YtDlpAnswer } from "../yt-dlp/YtDlpJob.ts";
import { isBroken, type RunningVersions } from "../yt-dlp/versions/RunningVersions.ts";
import { PAGE_HEADERS } from "../PageHeaders.ts";
import type { RunWay } from "../ways/Ways.ts";
import type { InspectorServices } from "./InspectionContext.ts";

/** Services that do not depend on the way. */
export type SharedServices = Omit<InspectorServices, "egress" | "cookies" | "ytDlp"> &
  Pick<RunningVersions, "countInspection">;

const FORBIDDEN = 403;

const SAYS_FORBIDDEN = /\bHTTP Error 403\b/iu;

const isForbidden = (answer: YtDlpAnswer): boolean =>
  !answer.ok && (answer.status === FORBIDDEN || SAYS_FORBIDDEN.test(answer.message));

/** The part of an inspection's time after which another version is asked; most take 0.1 to 2 of 25 seconds. */
const PATIENCE_SHARE = 0.4;

const hung = new ProcessFailed({ reason: "timeout", message: "yt-dlp did not answer." });

const notingYtDlp = (
  { countInspection, limits }: SharedServices,
  { hasSpareVersion, noteFault, noteForbidden, program, ytDlp }: RunWay<YtDlp>
): YtDlp => {
  const noting = <A>(asked: Effect.Effect<A, ProcessFailed>, answerIn: (result: A) => YtDlpAnswer) =>
    asked.pipe(
      Effect.tap((result) => Effect.sync(() => isBroken(answerIn(result)) && noteFault("broken"))),
      Effect.tapError((failure) =>
        Effect.sync(() => {
          if (failure === hung) noteFault("broken");
          if (failure.reason === "not_started") noteFault("died");
        })
      )
    );
  const patiently = (asked: ReturnType<YtDlp["inspect"]>) =>
    Effect.andThen(
      ytDlp.ready,
      Effect.timeoutOrElse(asked, {
        duration: limits.inspectTimeoutMs * PATIENCE_SHARE,
        orElse: () => Effect.fail(hung)
      })
    );
  return {
    ...ytDlp,
    inspect: (url, items, place, options) => {
      const asked = ytDlp.inspect(url, items, place, options);
      const inTime = hasSpareVersion && options?.onlyLists !== true ? patiently(asked) : asked;
      return noting(inTime, (answer) => answer).pipe(
        Effect.tap((answer) => {
          if (isForbidden(answer)) noteForbidden();
          return countInspection(program, url, answer);
        })
      );
    },
    download: (...question) => noting(ytDlp.download(...question), ({ answer }) => answer)
  };
};

export const routedServices = (services: SharedServices, way: RunWay<YtDlp>): InspectorServices => {
  const { cookies, egress, noteForbidden } = way;
  return {
    ...services,
    cookies,
    egress: {
      ...egress,
      fetch: (url, options) =>
        Effect.tap(
          egress.fetch(url, { ...options, headers: { ...PAGE_HEADERS, ...options.headers } }),
          ({ status }) =>
            Effect.sync(() => {
              if (status === FORBIDDEN) noteForbidden();
            })
        )
    },
    ytDlp: notingYtDlp(services, way)
  };
};

/** Where the programs of an inspection run. */
export const openPlace = Effect.fnUntraced(function* (services: InspectorServices) {
  const { cookies, egress, limits, workDir } = services;
  const folder = yield* makeRunFolder(workDir);
  const proxy = yield* egress.openProxy({ budgetBytes: limits.inspectBudgetBytes });
  const place: YtDlpPlace = { folder, proxyUrl: proxy.url, cookies };
  return { folder, proxy, place };
});

// Accounts take turns at starting the programs of inspections, which needs a processor: one that inspects a single source
// does not wait for several that begin many. Waiting for the source, which begins with the program's first connection,
// needs none, so it holds no permit.

/** Programs that start at the same time. */
const STARTS_AT_ONCE_MAX = Math.max(2, availableParallelism());

/** A start takes about 20 ms of CPU time; a program that has not connected by then may never do so. */
export const START_TIMEOUT_MS = 1_000;

export const makeProgramStarts = (startsAtOnceMax: number) => {
  const permits = makeFairPermits(startsAtOnceMax, { fewestFirst: true });
  return (connected: Effect.Effect<void>): Restore =>
    (program) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const release = yield* permits.acquire((yield* CurrentRun).accountId, restore);
          const started = Effect.raceFirst(connected, Effect.sleep(START_TIMEOUT_MS));
          const releaseEarly = started.pipe(Effect.andThen(release), Effect.andThen(Effect.never));
          return yield* Effect.ensuring(restore(Effect.raceFirst(program, releaseEarly)), release);
        })
      );
};

/**
 * Runs the program of an inspection once it is the turn of the run's account. `connected`: completes with the program's
 * first connection.
 */
export const startInTurn = makeProgramStarts(STARTS_AT_ONCE_MAX);
