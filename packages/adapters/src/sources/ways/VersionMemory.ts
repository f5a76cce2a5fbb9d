/**
 * What this process remembers of versions of yt-dlp: one that fails at a host where another one reads rests there, as
 * routes do, and comes back by itself.
 */
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import type { YtDlpProgram } from "../../programs/python/VersionState.ts";
import {
  GOOD_STANDING,
  hostOf,
  makeStandings,
  pauseBegun,
  refused,
  REFUSALS_TO_REST,
  servesNow,
  taken,
  undecided
} from "./Standing.ts";

const SECOND_MS = 1_000;

/** What a version made of a source: `fault`, if another one may do better. */
export type VersionOutcome = "read" | "refused" | "fault" | "undecided";

export interface TriedVersion {
  readonly program: YtDlpProgram;
  readonly outcome: VersionOutcome;
}

export const makeVersionMemory = () => {
  const standings = makeStandings<"fault">();

  /** Those that do not rest; if all do, all of them, because a version is no reason to refuse a run. */
  const thatServe = (programs: ReadonlyArray<YtDlpProgram>, url: string) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      const serving = programs.filter(({ ytDlp }) => servesNow(standings.of(ytDlp, hostOf(url)), nowMs));
      return serving.length === 0 ? programs : serving;
    });

  /** After a pause, the run is the version's trial. */
  const take = ({ ytDlp }: YtDlpProgram, url: string) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      const standing = standings.of(ytDlp, hostOf(url));
      if (servesNow(standing, nowMs)) standings.set(ytDlp, hostOf(url), taken(standing, nowMs));
    });

  /**
   * Records what versions made of a source by one route. A fault is the version's if another one read the source; one
   * that was no help is asked less and less.
   */
  const settle = Effect.fnUntraced(function* (url: string, tried: ReadonlyArray<TriedVersion>) {
    const host = hostOf(url);
    const nowMs = yield* Clock.currentTimeMillis;
    const isReadElsewhere = tried.at(-1)?.outcome === "read";
    for (const [at, { outcome, program }] of tried.entries()) {
      const before = standings.of(program.ytDlp, host);
      const isRefused = outcome === "fault" && (isReadElsewhere || at > 0);
      const restsAt = isReadElsewhere ? 1 : REFUSALS_TO_REST;
      const now = isRefused
        ? refused(before, { url, reason: "fault" as const, restsAt }, nowMs)
        : outcome === "read" || outcome === "refused"
          ? GOOD_STANDING
          : undecided(before, nowMs);
      standings.set(program.ytDlp, host, now);
      const pauseMs = pauseBegun(before, now);
      if (pauseMs !== null && isReadElsewhere && tried.at(-1)?.program !== program) {
        yield* Effect.logWarning("A version of yt-dlp cannot read a host; another one serves it").pipe(
          Effect.annotateLogs({ host, version: program.version, pauseSeconds: pauseMs / SECOND_MS })
        );
      }
    }
  });

  return { settle, take, thatServe };
};
