/**
 * Which route serves a host now, and what a result does to it. A route that a host refuses rests, and comes back by a
 * trial: one run. Pure; the caller provides the clock.
 *
 * A single URL may have its own restriction. So a refusal is the route's only if another route is answered, or if five
 * URLs in a row are refused: a host whose last route rests gets no requests for a while.
 */

import type { RestReason } from "./RouteReport.ts";
import {
  GOOD_STANDING,
  refused,
  REFUSALS_TO_REST,
  servesNow,
  type Standing,
  taken,
  undecided
} from "./Standing.ts";

type RouteStanding = Standing<RestReason>;

/** What is known of a route at one host. */
export interface RouteHealth {
  /** With the host. */
  readonly atHost: RouteStanding;
  /** Of the route's own proxy, the same for all hosts. */
  readonly proxy: RouteStanding;
}

export const HEALTHY: RouteHealth = { atHost: GOOD_STANDING, proxy: GOOD_STANDING };

const standingsOf = ({ atHost, proxy }: RouteHealth): ReadonlyArray<RouteStanding> => [atHost, proxy];

/** Whether the route can serve a run now, be it as a trial. */
export const canServe = (health: RouteHealth, nowMs: number): boolean =>
  standingsOf(health).every((standing) => servesNow(standing, nowMs));

/** Until it may serve again; null if it does. */
export const restOf = (health: RouteHealth, nowMs: number): RouteStanding["rest"] =>
  standingsOf(health)
    .flatMap(({ rest }) => (rest !== null && rest.untilMs > nowMs ? [rest] : []))
    .toSorted((left, right) => right.untilMs - left.untilMs)[0] ?? null;

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
  const refusedFor = (standing: RouteStanding, reason: RestReason) =>
    refused(standing, { url, reason, restsAt }, nowMs);
  const unknown = { atHost: undecided(atHost, nowMs), proxy: undecided(proxy, nowMs) };
  switch (outcome._tag) {
    case "Answered":
      return HEALTHY;
    case "Undecided":
      return unknown;
    case "Refused":
      return { atHost: refusedFor(atHost, outcome.reason), proxy: GOOD_STANDING };
    case "Forbidden":
      return answeredElsewhere
        ? { atHost: refusedFor(atHost, "bot_blocked"), proxy: GOOD_STANDING }
        : HEALTHY;
    // Without an alternative, there is nothing else to do than to try again.
    case "Unreached":
      return answeredElsewhere ? { ...unknown, atHost: refusedFor(atHost, "unreachable") } : unknown;
    case "Broken":
      return answeredElsewhere ? { ...unknown, proxy: refusedFor(proxy, "unreachable") } : unknown;
  }
};
