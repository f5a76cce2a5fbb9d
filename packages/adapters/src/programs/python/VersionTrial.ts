/**
 * Which version of yt-dlp reads a host, and what becomes of a new version on trial: counts by host lead to a choice by
 * host, and to its promotion or rejection. Pure.
 */
import * as Schema from "effect/Schema";

/** Runs of one host during a trial. */
const Tally = Schema.Struct({
  /** The new version read the source. */
  read: Schema.Int,
  /** The new version failed and the current one read the same source. */
  lost: Schema.Int,
  /** The current version failed and the new one read the same source. */
  rescued: Schema.Int
});

export type Tally = typeof Tally.Type;

export type Event = keyof Tally;

const Trial = Schema.Struct({ version: Schema.String, tallies: Schema.Record(Schema.String, Tally) });

/** What is known besides the installed versions; the same for all processes of a data directory. */
export const VersionState = Schema.Struct({
  /** The operator's choice; null for the newest. */
  pinned: Schema.NullOr(Schema.String),
  /** Versions that are not used: rolled back, or worse than the one before. Newest decision last. */
  rejected: Schema.Array(Schema.String),
  /** A newer version in the package index; null if unknown or installed. */
  available: Schema.NullOr(Schema.String),
  trial: Schema.NullOr(Trial),
  /** Hosts that only an older version reads. */
  olderByHost: Schema.Record(Schema.String, Schema.String)
});

export type VersionState = typeof VersionState.Type;

export const NOTHING_KNOWN: VersionState = {
  pinned: null,
  rejected: [],
  available: null,
  trial: null,
  olderByHost: {}
};

/** Hosts with counts, and hosts with an older version; beyond, they are counted together. */
export const HOSTS_MAX = 500;

/** The name of all hosts beyond {@link HOSTS_MAX}. */
export const OTHER_HOSTS = "*";

const REJECTED_MAX = 50;

/** Runs that a new version must have read to be promoted. */
export const READ_TO_PROMOTE = 20;

/** Losses after which a new version is rejected, if they outweigh what it reads. */
export const LOST_TO_REJECT = 5;

/** Differences on one host that decide about the host: a single one may be the source's mood. */
export const RUNS_TO_DECIDE_HOST = 2;

/** Part of the reads that may be lost on hosts that do not go on with the older version. */
const LOST_SHARE_MAX = 0.05;

const NO_RUNS: Tally = { read: 0, lost: 0, rescued: 0 };

const onlyOlderReads = ({ read, lost, rescued }: Tally): boolean =>
  lost >= RUNS_TO_DECIDE_HOST && lost > read + rescued;

const onlyNewerReads = ({ lost, rescued }: Tally): boolean =>
  rescued >= RUNS_TO_DECIDE_HOST && rescued > lost;

/** How a run takes part in a trial: `first`: the new version is asked before the current one. */
export type TrialPart = "none" | "sample" | "first";

const partOf = (tally: Tally): TrialPart => {
  if (onlyOlderReads(tally) && tally.lost >= LOST_TO_REJECT) return "none";
  return onlyNewerReads(tally) ? "first" : "sample";
};

export interface HostChoice {
  /** Null: the current version. */
  readonly older: string | null;
  readonly part: TrialPart;
}

const tallyOf = ({ tallies }: typeof Trial.Type, host: string): Tally =>
  (Object.hasOwn(tallies, host) ? tallies[host] : undefined) ?? NO_RUNS;

export const choiceFor = ({ olderByHost, trial }: VersionState, host: string): HostChoice => ({
  older: (Object.hasOwn(olderByHost, host) ? olderByHost[host] : undefined) ?? null,
  part: trial === null ? "none" : partOf(tallyOf(trial, host))
});

export type Verdict = "open" | "promoted" | "rejected";

const total = (tallies: ReadonlyArray<Tally>): Tally => ({
  read: tallies.reduce((sum, { read }) => sum + read, 0),
  lost: tallies.reduce((sum, { lost }) => sum + lost, 0),
  rescued: tallies.reduce((sum, { rescued }) => sum + rescued, 0)
});

/** Promoted if it is not worse on the hosts that would use it; rejected if it loses more than it reads. */
export const verdictOf = (tallies: Readonly<Record<string, Tally>>): Verdict => {
  const all = Object.values(tallies);
  const { read, lost, rescued } = total(all);
  if (lost >= LOST_TO_REJECT && lost > read + rescued) return "rejected";
  const elsewhere = total(all.filter((tally) => !onlyOlderReads(tally)));
  const isWorse = elsewhere.lost > elsewhere.rescued + LOST_SHARE_MAX * elsewhere.read;
  return read + rescued >= READ_TO_PROMOTE && !isWorse ? "promoted" : "open";
};

const without = (versions: ReadonlyArray<string>, version: string): ReadonlyArray<string> =>
  versions.filter((each) => each !== version);

/** It is not used until the operator chooses it. */
export const reject = (state: VersionState, version: string): VersionState => ({
  ...state,
  pinned: state.pinned === version ? null : state.pinned,
  rejected: [...without(state.rejected, version), version].slice(-REJECTED_MAX),
  trial: state.trial?.version === version ? null : state.trial
});

/** Hosts that only the older version reads go on with it; those that the new one reads do not. */
const promote = (state: VersionState, { tallies }: typeof Trial.Type, current: string): VersionState => {
  const kept = Object.entries(state.olderByHost).filter(([host]) => !Object.hasOwn(tallies, host));
  const staying = Object.entries(tallies).flatMap(([host, tally]): ReadonlyArray<[string, string]> =>
    onlyOlderReads(tally) && host !== OTHER_HOSTS ? [[host, state.olderByHost[host] ?? current]] : []
  );
  return { ...state, trial: null, olderByHost: Object.fromEntries([...kept, ...staying].slice(-HOSTS_MAX)) };
};

/** Counts a run of the trial and draws the conclusion; `current`: the version that reads most hosts. */
export const observed = (
  state: VersionState,
  run: { readonly trial: string; readonly current: string; readonly host: string; readonly event: Event }
): VersionState => {
  const { trial } = state;
  // The verdict may have fallen while the run was in progress.
  if (trial === null || trial.version !== run.trial) return state;
  const isKnown = Object.hasOwn(trial.tallies, run.host);
  const host = isKnown || Object.keys(trial.tallies).length < HOSTS_MAX ? run.host : OTHER_HOSTS;
  const before = tallyOf(trial, host);
  const tallies = { ...trial.tallies, [host]: { ...before, [run.event]: before[run.event] + 1 } };
  const counted = { ...state, trial: { ...trial, tallies } };
  const verdict = verdictOf(tallies);
  if (verdict === "open") return counted;
  return verdict === "promoted"
    ? promote(counted, counted.trial, run.current)
    : reject(counted, trial.version);
};

/** Begins the trial of an installed version, unless the operator or an earlier trial has decided against it. */
export const offer = (state: VersionState, version: string): VersionState =>
  state.pinned !== null || state.rejected.includes(version) || state.trial?.version === version
    ? state
    : { ...state, available: null, trial: { version, tallies: {} } };

/** The operator's choice: hosts with an older version use it too. Null for the newest version. */
export const use = (
  state: VersionState,
  version: string | null,
  newest: string | null = null
): VersionState => ({
  ...state,
  pinned: version,
  rejected: without(state.rejected, version ?? newest ?? ""),
  available: null,
  trial: null,
  olderByHost: {}
});
