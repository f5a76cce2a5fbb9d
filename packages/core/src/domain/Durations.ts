/** Lengths of time in milliseconds; a day has 24 hours in every zone, as in UTC. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
