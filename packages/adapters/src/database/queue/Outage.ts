/**
 * Whether a lease that has run out means a dead worker. After an outage of the database it does not: no lease could
 * be renewed, and the first process to return would take every job from every worker.
 */
import { RECOVERY_SECONDS } from "./JobTable.ts";

/** Workers use the database every five seconds; more time in between is an outage, or this process was stalled. */
export const SILENCE_MS_MAX = 8_000;

const RECOVERY_MS = RECOVERY_SECONDS * 1_000;

/** What this process knows about the database's availability, by its own clock. */
export interface Contact {
  /** Time of the last response; null before the first. */
  readonly lastMs: number | null;
  /** Time of the first response after an outage; null if there was none. */
  readonly regainedMs: number | null;
}

/** A new process trusts what it finds: it often replaces one that was killed, and may be the only one. */
export const NO_CONTACT: Contact = { lastMs: null, regainedMs: null };

const isSilent = ({ lastMs }: Contact, nowMs: number): boolean =>
  lastMs !== null && nowMs - lastMs > SILENCE_MS_MAX;

export const afterResponse = (before: Contact, nowMs: number): Contact => ({
  lastMs: nowMs,
  regainedMs: isSilent(before, nowMs) ? nowMs : before.regainedMs
});

export const canTakeOver = (contact: Contact, nowMs: number): boolean =>
  !isSilent(contact, nowMs) && (contact.regainedMs === null || nowMs - contact.regainedMs >= RECOVERY_MS);
