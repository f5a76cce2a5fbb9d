/**
 * Looks at public URLs and fetches what is there.
 *
 * Every connection goes through the egress guard; every step has a limit; nothing is written outside the
 * folder of the run; no child process outlives its effect. Messages of failures hold nothing internal.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";
import type { FailedLookup } from "../domain/FailedLookup.ts";
import { FailureReason } from "../domain/Failure.ts";
import type { Modality } from "../domain/Modality.ts";
import type { Busy } from "../domain/Refusal.ts";
import type { SourceFacts, SourceKind } from "../domain/SourceFacts.ts";
import type { SourceDetails } from "../domain/SourceMetadata.ts";
import type { ArtifactSource } from "./ArtifactStore.ts";

/**
 * Why a look or a fetch failed. `host_not_public`: the URL itself names such a host; an address met on
 * the way (redirect, segment) is `blocked_address`.
 */
export class DownloadFailed extends Schema.TaggedError<DownloadFailed>()("DownloadFailed", {
  reason: Schema.Union([FailureReason, Schema.Literal("host_not_public")]),
  message: Schema.String,
  /** When asking again can help, in seconds; absent where nobody knows. */
  retryAfterSeconds: Schema.optionalKey(Schema.Int)
}) {}

/** Where a fetch stands. */
export interface FetchProgress {
  readonly step: "inspecting" | "fetching" | "converting";
  /** 0 to 100; null while unknown. */
  readonly percent: number | null;
  readonly bytes: number;
}

/** What a URL was taken for by an earlier look, of this process or another. */
export interface KnownSource {
  readonly kind: SourceKind;
  readonly atMs: number;
}

export interface InspectOptions {
  /** Whose turn it is: inspections, and pages in the browser, are shared out fairly among accounts. */
  readonly accountId: string;
  /** A kept look that began earlier is looked again. Default: any will do. */
  readonly notBeforeMs?: number;
  /** What an earlier inspection found; while that is fresh it need not be found out again. Default: nothing is known. */
  readonly known?: KnownSource;
  /** Of the look itself: `timeout` after it. Waiting in line does not count. Default: the downloader's own limit. */
  readonly timeoutMs?: number;
  /** In line, for a turn and for the browser: `Busy` after it, or at once when too many wait. Default: any time. */
  readonly waitMaxMs?: number;
}

/** Begins with a look, to which the options apply; pictures are converted by turns of the account, too. */
export interface FetchRequest extends Pick<InspectOptions, "accountId" | "notBeforeMs" | "known"> {
  /** Normalised URL (domain/SourceUrl). */
  readonly url: string;
  /**
   * Wanted besides metadata, thumbnail and description (and the slides of a photo post), by the kind that is found.
   */
  readonly wantsOf: (kind: SourceKind) => ReadonlyArray<Modality>;
  /**
   * Nothing but what is wanted: the run has metadata, thumbnail, description and slides from an earlier fetch.
   * Default false.
   */
  readonly wantsOnly?: boolean;
  /** BCP 47: the subtitles that become the transcript; the original language without it. */
  readonly language?: string;
  /** Longer videos are refused as `too_long`; the specification's hour without it. */
  readonly maxDurationSeconds?: number;
  readonly onProgress: (progress: FetchProgress) => Effect.Effect<void>;
}

/** A fetch of a source that has been looked at. */
export type InspectedFetch = Omit<FetchRequest, "wantsOf"> & {
  readonly wants: ReadonlyArray<Modality>;
};

export const inspectedFetch = (
  { wantsOf, ...request }: FetchRequest,
  { kind }: Pick<SourceFacts, "kind">
): InspectedFetch => ({ ...request, wants: wantsOf(kind) });

export interface FetchedFile {
  /** One of domain/ArtifactName. */
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly source: ArtifactSource;
}

export interface WholePage {
  readonly text: string;
  readonly markdown: string;
}

export interface Fetched {
  readonly facts: SourceFacts;
  /** What else the look told, for `metadata.json`, which the engine writes. Absent where it told nothing else. */
  readonly details?: SourceDetails;
  /** Of the downloaded media; null when there is none. */
  readonly measuredDurationSeconds: number | null;
  /**
   * Of a video that no media was downloaded of and whose facts do not tell its length: what its stream told after
   * all, in a header or manifest. Absent or null where it did not.
   */
  readonly streamDurationSeconds?: number | null;
  /**
   * All that a webpage shows, where it is doubtful which of it is its text: the AI pass reads it in place of
   * `transcript.txt` and `page.md`. `markdown` is empty where only the text is known. Absent or null elsewhere.
   */
  readonly wholePage?: WholePage | null;
  /** In the order `summary.files` lists them; each was checked for existence, type and size. */
  readonly files: ReadonlyArray<FetchedFile>;
  /** Wanted but not there, those whose look-up failed included. */
  readonly unavailable: ReadonlyArray<Modality>;
  /** Of {@link unavailable}, what could not be looked up; of the others the source said that there is none. */
  readonly failedLookups?: ReadonlyArray<FailedLookup>;
  /**
   * There is a transcript, but none in the language asked for: this one is in the original language or, where
   * people wrote only translations, in one of those. Never a machine translation. Default false.
   */
  readonly languageMissing?: boolean;
  /** Sentences for the caller about anything else that went missing (a thumbnail, one subtitle). */
  readonly warnings: ReadonlyArray<string>;
}

export class Downloader extends Context.Service<
  Downloader,
  {
    /**
     * One look without downloading media. Kept for 10 minutes, so that probe, submit and run share it;
     * looks at one URL at the same time are one look. Failures are kept for a few seconds only.
     *
     * Accounts take turns: what one of them has in line or under way holds up nobody else's. `Busy` only where
     * `waitMaxMs` is given.
     */
    readonly inspect: (
      url: string,
      options: InspectOptions
    ) => Effect.Effect<SourceFacts, DownloadFailed | Busy>;

    /**
     * Whether what takes long to start has started, so that the first inspection need not wait for it. True, too,
     * once it has failed or takes too long: inspections work without. Absent where nothing has to start.
     */
    readonly isWarm?: Effect.Effect<boolean>;

    /**
     * Begins with a look, a kept one where there is one. Files live until the scope closes. Interruption stops all
     * child processes before it returns.
     */
    readonly fetch: (request: FetchRequest) => Effect.Effect<Fetched, DownloadFailed, Scope.Scope>;
  }
>()("@winnow/core/ports/Downloader") {}
