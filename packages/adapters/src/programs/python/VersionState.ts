/**
 * Which installed versions of yt-dlp are used, and in which order: decisions of the operator, and the probation of a
 * release that was installed by itself. Pure. Tests: VersionFile.test.ts.
 */
import * as Schema from "effect/Schema";

/** What is known besides the installed versions; the same for all processes of a data directory. */
export const VersionState = Schema.Struct({
  /** The operator's choice; null for the newest. */
  pinned: Schema.NullOr(Schema.String),
  /** Versions that the operator went back from. Newest decision last. */
  rejected: Schema.Array(Schema.String),
  /** A newer version in the package index; null if unknown or installed. */
  available: Schema.NullOr(Schema.String),
  /** A version that was installed by itself and has not read enough yet; it gets no cookies. */
  probation: Schema.NullOr(Schema.String)
});

export type VersionState = typeof VersionState.Type;

export const NOTHING_KNOWN: VersionState = { pinned: null, rejected: [], available: null, probation: null };

const REJECTED_MAX = 50;

const without = (versions: ReadonlyArray<string>, version: string): ReadonlyArray<string> =>
  versions.filter((each) => each !== version);

/** It is not used until the operator chooses it. */
export const reject = (state: VersionState, version: string): VersionState => ({
  ...state,
  pinned: state.pinned === version ? null : state.pinned,
  rejected: [...without(state.rejected, version), version].slice(-REJECTED_MAX),
  probation: state.probation === version ? null : state.probation
});

/** Puts an installed version on probation, unless the operator has decided against it. */
export const offer = (state: VersionState, version: string): VersionState =>
  state.pinned !== null || state.rejected.includes(version)
    ? state
    : { ...state, available: null, probation: version };

/** Ends the probation of a version. */
export const prove = (state: VersionState, version: string): VersionState =>
  state.probation === version ? { ...state, probation: null } : state;

/** The operator's choice. Null for the newest version. */
export const use = (
  state: VersionState,
  version: string | null,
  newest: string | null = null
): VersionState => ({
  pinned: version,
  rejected: without(state.rejected, version ?? newest ?? ""),
  available: null,
  probation: null
});

/** Numbers by which versions compare: of a nightly version, the time comes last. */
export const isNewer = (version: string, other: string): boolean => {
  const [left, right] = [version, other].map((each) => each.split(".").map(Number));
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
};

/** A yt-dlp that can be run. */
export interface YtDlpProgram {
  /** As it reports it; null if unknown. */
  readonly version: string | null;
  /** Absolute path. */
  readonly ytDlp: string;
}

/**
 * The proven versions, the best first: the pinned one alone, else those that are not rejected, newest first. `installed`
 * is in this order; `fallback` (PATH's) comes last if its version is unknown.
 */
export const provenPrograms = (
  { pinned, probation, rejected }: VersionState,
  installed: ReadonlyArray<YtDlpProgram & { readonly version: string }>,
  fallback: YtDlpProgram | null
): ReadonlyArray<YtDlpProgram> => {
  const chosen = installed.find(({ version }) => version === pinned);
  if (chosen !== undefined) return [chosen];
  const isUsable = (version: string): boolean => version !== probation && !rejected.includes(version);
  const usable = installed.filter(({ version }) => isUsable(version));
  if (fallback === null) return usable;
  const { version } = fallback;
  if (version === null || usable.length === 0) return [...usable, fallback];
  if (!isUsable(version) || usable.some((each) => each.version === version)) return usable;
  const older = usable.filter((each) => isNewer(version, each.version));
  return [...usable.filter((each) => !older.includes(each)), fallback, ...older];
};

/** All versions that serve runs without cookies: the one on probation, then the proven ones. */
export const usedPrograms: typeof provenPrograms = (state, installed, fallback) => [
  ...installed.filter(({ version }) => version === state.probation),
  ...provenPrograms(state, installed, fallback)
];
