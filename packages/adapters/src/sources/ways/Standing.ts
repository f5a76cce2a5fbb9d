/**
 * How long something that does not work is left alone: it rests for growing pauses, and comes back by a trial, which is
 * one run. A route at a host, a route's proxy and a version of yt-dlp at a host have one each. The caller provides the
 * clock. Tests: WayMemory.test.ts, Ways.test.ts.
 */
import { LRUCache } from "lru-cache";

/** Refused URLs in a row that make it rest although nothing else was answered. */
export const REFUSALS_TO_REST = 5;

/** Older refusals no longer count; such restrictions last minutes. */
export const REFUSAL_MEMORY_MS = 600_000;

/** First pause; platforms count requests per minute. */
export const FIRST_PAUSE_MS = 60_000;

/** Pauses double up to this; longer ones would outlast the platform's own. */
export const PAUSE_MAX_MS = 1_800_000;

/** A trial without a result by then counts as lost; no inspection takes as long. */
export const TRIAL_MAX_MS = 60_000;

/** How often something refused us lately, and until when it is left alone. */
export interface Standing<Reason extends string> {
  /** Refused URLs in a row while it serves; fewer than {@link REFUSALS_TO_REST}. */
  readonly urls: ReadonlyArray<string>;
  readonly lastRefusedAtMs: number;
  /** Consecutive pauses, which lengthen the next one. */
  readonly pauses: number;
  /** Null while it serves. During a trial, `untilMs` is when the trial counts as lost. */
  readonly rest: { readonly reason: Reason; readonly untilMs: number; readonly trial: boolean } | null;
}

const GOOD_STANDING: Standing<never> = { urls: [], lastRefusedAtMs: 0, pauses: 0, rest: null };

/** `vimeo.com` of `https://www.vimeo.com/1`: a site and its mobile form are one. */
export const siteOf = (url: string): string =>
  (URL.parse(url)?.host ?? url).replace(/^(?:www|m|mobile)\./u, "");

/** Maximum standings that are remembered; an entry has about 200 bytes. */
const REMEMBERED_MAX = 10_000;

export interface Rest<Reason extends string> {
  readonly host: string;
  readonly reason: Reason;
  readonly untilMs: number;
}

/** Whether it can serve a run now, be it as a trial. */
const servesNow = ({ rest }: Standing<string>, nowMs: number): boolean =>
  rest === null || nowMs >= rest.untilMs;

/** After a pause a run is the trial, and others go elsewhere until its result. */
export const taken = <Reason extends string>(standing: Standing<Reason>, nowMs: number): Standing<Reason> =>
  standing.rest === null
    ? standing
    : { ...standing, rest: { ...standing.rest, untilMs: nowMs + TRIAL_MAX_MS, trial: true } };

export interface Refusal {
  readonly url: string;
  /** Refused URLs in a row that make it rest. */
  readonly restsAt: number;
}

const refused = <Reason extends string>(
  standing: Standing<Reason>,
  reason: Reason,
  { url, restsAt }: Refusal,
  nowMs: number
): Standing<Reason> => {
  const { pauses, rest } = standing;
  // A run that was under way when the pause started does not extend it.
  if (rest !== null && !rest.trial) return standing;
  const remembered = nowMs - standing.lastRefusedAtMs <= REFUSAL_MEMORY_MS ? standing.urls : [];
  const urls = remembered.includes(url) ? remembered : [...remembered, url];
  if (rest === null && urls.length < restsAt) return { ...standing, urls, lastRefusedAtMs: nowMs };
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** pauses, PAUSE_MAX_MS);
  return {
    urls: [],
    lastRefusedAtMs: nowMs,
    pauses: pauses + 1,
    rest: { reason, untilMs: nowMs + pauseMs, trial: false }
  };
};

/** Nothing was learned: another trial may start immediately. */
const undecided = <Reason extends string>(standing: Standing<Reason>, nowMs: number): Standing<Reason> =>
  standing.rest?.trial === true
    ? { ...standing, rest: { ...standing.rest, untilMs: nowMs, trial: false } }
    : standing;

/** Milliseconds of the pause that begins between two standings; null if none does. */
const pauseBegun = (before: Standing<string>, now: Standing<string>): number | null =>
  now.rest === null || now.rest.trial || now.pauses === before.pauses
    ? null
    : now.rest.untilMs - now.lastRefusedAtMs;

/** What a run learned: that it works, nothing, or why it does not. */
export type Verdict<Reason extends string> = "good" | "unknown" | Reason;

export const after = <Reason extends string>(
  standing: Standing<Reason>,
  verdict: Verdict<Reason>,
  refusal: Refusal,
  nowMs: number
): Standing<Reason> =>
  verdict === "good"
    ? GOOD_STANDING
    : verdict === "unknown"
      ? undecided(standing, nowMs)
      : refused(standing, verdict as Reason, refusal, nowMs);

/** The standings that this process knows: of what has a name, at hosts. */
export const makeStandings = <Reason extends string>() => {
  const known = new LRUCache<string, Standing<Reason>>({ max: REMEMBERED_MAX });
  const key = (name: string, host: string) => `${name}\n${host}`;
  const of = (name: string, host: string): Standing<Reason> => known.get(key(name, host)) ?? GOOD_STANDING;
  const set = (name: string, host: string, standing: Standing<Reason>): void => {
    if (standing === GOOD_STANDING) known.delete(key(name, host));
    else known.set(key(name, host), standing);
  };
  return {
    of,
    serves: (name: string, host: string, nowMs: number): boolean => servesNow(of(name, host), nowMs),
    /** For a run; after a pause, as the trial. */
    take: (name: string, host: string, nowMs: number): void => {
      const standing = of(name, host);
      if (servesNow(standing, nowMs)) set(name, host, taken(standing, nowMs));
    },
    /** Returns the milliseconds of the pause that begins; null if none does. */
    learn: (name: string, host: string, verdict: Verdict<Reason>, refusal: Refusal, nowMs: number) => {
      const before = of(name, host);
      const now = after(before, verdict, refusal, nowMs);
      set(name, host, now);
      return pauseBegun(before, now);
    },
    /** Where it rests. */
    restsOf: (name: string, nowMs: number): ReadonlyArray<Rest<Reason>> =>
      [...known.entries()].flatMap(([at, { rest }]) =>
        at.startsWith(key(name, "")) && rest !== null && rest.untilMs > nowMs
          ? [{ host: at.slice(name.length + 1), reason: rest.reason, untilMs: rest.untilMs }]
          : []
      )
  };
};
