/**
 * Which route serves a host now, and what a result does to it. A route that a host refuses rests, and comes back by a
 * trial: one run. Pure; the caller provides the clock.
 *
 * A single URL may have its own restriction. So a refusal is the route's only if another route is answered, or if five
 * URLs in a row are refused: a host whose last route rests gets no requests for a while.
 */

import type { RestReason } from "./RouteReport.ts";

/** Refused URLs in a row with which a route rests although no other one was answered. */
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
export interface Standing {
  /** Refused URLs in a row while it serves; fewer than {@link REFUSALS_TO_REST}. */
  readonly urls: ReadonlyArray<string>;
  readonly lastRefusedAtMs: number;
  /** Consecutive pauses, which lengthen the next one. */
  readonly pauses: number;
  /** Null while it serves. During a trial, `untilMs` is when the trial counts as lost. */
  readonly rest: { readonly reason: RestReason; readonly untilMs: number; readonly trial: boolean } | null;
}

export const GOOD_STANDING: Standing = { urls: [], lastRefusedAtMs: 0, pauses: 0, rest: null };

/** What is known of a route at one host. */
export interface RouteHealth {
  /** With the host. */
  readonly atHost: Standing;
  /** Of the route's own proxy, the same for all hosts. */
  readonly proxy: Standing;
}

export const HEALTHY: RouteHealth = { atHost: GOOD_STANDING, proxy: GOOD_STANDING };

const standingsOf = ({ atHost, proxy }: RouteHealth): ReadonlyArray<Standing> => [atHost, proxy];

/** Whether the route can serve a run now, be it as a trial. */
export const canServe = (health: RouteHealth, nowMs: number): boolean =>
  standingsOf(health).every(({ rest }) => rest === null || nowMs >= rest.untilMs);

/** Until it may serve again; null if it does. */
export const restOf = (health: RouteHealth, nowMs: number): Standing["rest"] =>
  standingsOf(health)
    .flatMap(({ rest }) => (rest !== null && rest.untilMs > nowMs ? [rest] : []))
    .toSorted((left, right) => right.untilMs - left.untilMs)[0] ?? null;

/** After a pause a run is the trial, and others go elsewhere until its result. */
const taken = (standing: Standing, nowMs: number): Standing =>
  standing.rest === null
    ? standing
    : { ...standing, rest: { ...standing.rest, untilMs: nowMs + TRIAL_MAX_MS, trial: true } };

export type RouteChoice =
  /** The route at `index`, and its health while the run is under way. */
  | { readonly _tag: "Chosen"; readonly index: number; readonly health: RouteHealth }
  /** All routes rest; the first may serve again after `remainingMs`, or sooner if a trial is under way. */
  | {
      readonly _tag: "Resting";
      readonly reason: RestReason;
      readonly remainingMs: number;
      readonly trial: boolean;
    };

/** The first of a host's routes, in their order, that can serve now. */
export const choose = (routes: ReadonlyArray<RouteHealth>, nowMs: number): RouteChoice => {
  const index = routes.findIndex((health) => canServe(health, nowMs));
  const chosen = routes[index];
  if (chosen !== undefined) {
    const health = { atHost: taken(chosen.atHost, nowMs), proxy: taken(chosen.proxy, nowMs) };
    return { _tag: "Chosen", index, health };
  }
  const rests = routes.flatMap((health) => restOf(health, nowMs) ?? []);
  const soonest = rests.reduce((first, each) => (each.untilMs < first.untilMs ? each : first));
  return {
    _tag: "Resting",
    reason: soonest.reason,
    remainingMs: soonest.untilMs - nowMs,
    trial: rests.some(({ trial }) => trial)
  };
};

/** What a run learned of a route. */
export type RouteOutcome =
  /** The host answered, whatever it said of the URL. */
  | { readonly _tag: "Answered" }
  | { readonly _tag: "Refused"; readonly reason: Exclude<RestReason, "unreachable"> }
  /** A page answered 403: it may forbid the page to all, or everything to this route. */
  | { readonly _tag: "Forbidden" }
  /** The route's proxy is not there, or does not admit us. */
  | { readonly _tag: "Broken" }
  /** The route's proxy did not connect to the host. */
  | { readonly _tag: "Unreached" }
  /** Nothing about the route. */
  | { readonly _tag: "Undecided" };

const refused = (
  standing: Standing,
  { url, reason, restsAt }: { readonly url: string; readonly reason: RestReason; readonly restsAt: number },
  nowMs: number
): Standing => {
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
const undecided = (standing: Standing, nowMs: number): Standing =>
  standing.rest?.trial === true
    ? { ...standing, rest: { ...standing.rest, untilMs: nowMs, trial: false } }
    : standing;

export interface RouteUse {
  readonly url: string;
  readonly outcome: RouteOutcome;
  /** Whether another route was answered for the same URL: then a refusal is the route's, not the URL's. */
  readonly answeredElsewhere: boolean;
}

/** The health of a route after a run. */
export const after = (
  { atHost, proxy }: RouteHealth,
  { url, outcome, answeredElsewhere }: RouteUse,
  nowMs: number
): RouteHealth => {
  const restsAt = answeredElsewhere ? 1 : REFUSALS_TO_REST;
  switch (outcome._tag) {
    case "Answered":
      return HEALTHY;
    case "Undecided":
      return { atHost: undecided(atHost, nowMs), proxy: undecided(proxy, nowMs) };
    case "Refused":
      return {
        atHost: refused(atHost, { url, reason: outcome.reason, restsAt }, nowMs),
        proxy: GOOD_STANDING
      };
    case "Forbidden":
      return answeredElsewhere
        ? { atHost: refused(atHost, { url, reason: "bot_blocked", restsAt }, nowMs), proxy: GOOD_STANDING }
        : HEALTHY;
    // Without an alternative, there is nothing else to do than to try again.
    case "Unreached":
      return answeredElsewhere
        ? {
            atHost: refused(atHost, { url, reason: "unreachable", restsAt }, nowMs),
            proxy: undecided(proxy, nowMs)
          }
        : { atHost: undecided(atHost, nowMs), proxy: undecided(proxy, nowMs) };
    case "Broken":
      return {
        atHost: undecided(atHost, nowMs),
        proxy: answeredElsewhere
          ? refused(proxy, { url, reason: "unreachable", restsAt }, nowMs)
          : undecided(proxy, nowMs)
      };
  }
};

/** Milliseconds of the pause that begins between two standings; null if none does. */
export const pauseBegun = (before: Standing, now: Standing): number | null =>
  now.rest === null || now.rest.trial || now.pauses === before.pauses
    ? null
    : now.rest.untilMs - now.lastRefusedAtMs;
