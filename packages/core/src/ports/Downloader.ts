/**
 * Inspects public URLs and fetches their content.
 *
 * Every connection goes through the egress guard; every step has a limit; nothing is written outside the
 * folder of the run; no child process outlives its effect. Failure messages reveal nothing internal.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { contentTypeOf } from "../domain/result/ArtifactName.ts";
import type { Failed, PartFailures } from "../domain/source/Failed.ts";
import type { Modality } from "../domain/source/Modality.ts";
import type { Busy } from "../domain/request/Refusal.ts";
import type { Captions, SourceFacts, SourceKind } from "../domain/source/SourceFacts.ts";
import type { SourceDetails } from "../domain/source/SourceMetadata.ts";
import type { TimeRange } from "../domain/source/TimeRange.ts";
import type { TextSection } from "../domain/text/InputText.ts";
import type { ArtifactSource } from "./ArtifactStore.ts";

/** What an earlier inspection found, in this or another process. */
export interface KnownSource {
  readonly kind: SourceKind;
  readonly atMs: number;
}

export interface InspectOptions {
  /** Cached inspections from before this time are not used. Default: any cached inspection is used. */
  readonly notBeforeMs?: number;
  /** Findings of an earlier inspection, which need not be repeated while they are fresh. Default: none. */
  readonly known?: KnownSource;
  /**
   * Time limit of the inspection, which then fails with `timeout`. Waiting in the queue does not count.
   * Default: the downloader's own limit.
   */
  readonly timeoutMs?: number;
  /**
   * Time limit of waiting in queues, for the inspection and the browser: `Busy` after it, or at once if too
   * many wait. Default: none.
   */
  readonly waitMaxMs?: number;
}

/** A fetch begins with an inspection, to which the options apply. */
export interface FetchRequest extends Pick<InspectOptions, "notBeforeMs" | "known"> {
  /** Normalised URL (domain/url/SourceUrl). */
  readonly url: string;
  /**
   * Modalities to fetch in addition to metadata, thumbnail and description (and the slides of a photo post),
   * by the kind that is found.
   */
  readonly wantsOf: (kind: SourceKind) => ReadonlyArray<Modality>;
  /**
   * Fetch only these modalities: the run already has metadata, thumbnail, description and slides. Default false.
   */
  readonly wantsOnly?: boolean;
  /**
   * Fetch only this stretch of a video: its media files begin at 0 with it, its captions and transcript keep the times of
   * the whole video. Facts are those of the whole. Default: all of it.
   */
  readonly range?: TimeRange;
  /** BCP 47 language of the subtitles that become the transcript. Default: the original language. */
  readonly language?: string;
  /** Whose captions: if there are none of these, there is no transcript. Default `any`. */
  readonly captions?: Captions;
  /** Longer videos fail with `too_long`: the plan's maximum. */
  readonly maxDurationSeconds: number;
}

/** A fetch of an inspected source. */
export type InspectedFetch = Omit<FetchRequest, "wantsOf"> & {
  readonly wants: ReadonlyArray<Modality>;
};

export const inspectedFetch = (
  { wantsOf, ...request }: FetchRequest,
  { kind }: Pick<SourceFacts, "kind">
): InspectedFetch => ({ ...request, wants: wantsOf(kind) });

/** A look at a channel or playlist. */
export interface ListRequest {
  /** Absolute http or https URL without credentials. */
  readonly url: string;
  /** Maximum items. */
  readonly first: number;
}

export interface FetchedFile {
  /** One of domain/result/ArtifactName. */
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Bytes for what an AI pass reads as text (`readAs` of domain/result/ArtifactName). */
  readonly source: ArtifactSource;
  /** Belongs to another extraction: it is read, and not stored again. Default false. */
  readonly isStored?: boolean;
}

/** A file of text in UTF-8, kept in memory until it is stored. */
export const textFile = (name: string, text: string): FetchedFile => {
  const bytes = new TextEncoder().encode(text);
  return {
    name,
    contentType: contentTypeOf(name),
    sizeBytes: bytes.length,
    source: { _tag: "Bytes", bytes }
  };
};

export interface WholePage extends Pick<Fetched, "sections"> {
  readonly text: string;
  readonly markdown: string;
}

export interface Fetched {
  /** Name of the route that served it, for the operator; absent if there are no routes. */
  readonly route?: string;
  readonly facts: SourceFacts;
  /**
   * Further findings of the inspection, for `metadata.json`, which the engine writes. Absent if there are none.
   */
  readonly details?: SourceDetails;
  /** Duration of the downloaded media; null if there is none. */
  readonly measuredDurationSeconds: number | null;
  /**
   * Duration from the header or manifest of a video's stream, if no media was downloaded and the facts have no
   * duration. Absent or null if unknown.
   */
  readonly streamDurationSeconds?: number | null;
  /**
   * All visible text of a webpage, if its main text could not be identified reliably: the AI pass reads it
   * instead of `transcript.txt` and `page.md`. `markdown` is empty if only the text is known. Absent or null
   * otherwise.
   */
  readonly wholePage?: WholePage | null;
  /**
   * Text of a webpage or words on slides, with the places that evidence names. Absent: `transcript.txt` and
   * `slides.txt` are read by lines, `page.md` as one piece, without places.
   */
  readonly sections?: ReadonlyArray<TextSection>;
  /** In the order `summary.files` lists them; each was checked for existence, type and size. */
  readonly files: ReadonlyArray<FetchedFile>;
  /**
   * Of a requested modality whose file is not among {@link files}: its look-up failed. Of the others, the source reports that there
   * is none. Absent: no look-up failed.
   */
  readonly failedLookups?: PartFailures;
  /**
   * There is a transcript, but not in the requested language: it is in the original language or, if people
   * wrote only translations, in one of those. Never a machine translation. Default false.
   */
  readonly languageMissing?: boolean;
  /** Sentences for the caller about anything else that is missing (one subtitle file). */
  readonly warnings: ReadonlyArray<string>;
}

/** Maximum width and height of a preview, in pixels. */
export const PREVIEW_SIDE_MAX_PIXELS = 320;

export class Downloader extends Context.Service<
  Downloader,
  {
    /**
     * Inspects a URL without downloading media. Cached for 10 minutes, so that probe, submit and run share it;
     * concurrent inspections of one URL are merged. Failures are cached for a few seconds only.
     *
     * Accounts take turns: an account's queued or running inspections do not delay those of others. `Busy`
     * only if `waitMaxMs` is set.
     */
    readonly inspect: (url: string, options: InspectOptions) => Effect.Effect<SourceFacts, Failed | Busy>;

    /**
     * The source's picture as a small JPEG ({@link PREVIEW_SIDE_MAX_PIXELS}); null if there is none, or it cannot be
     * read. Its address is that of the cached inspection; without one, this inspects. Absent: quotes have no picture.
     */
    readonly preview?: (
      url: string,
      options: InspectOptions
    ) => Effect.Effect<Uint8Array | null, Failed | Busy>;

    /**
     * Whether slow-starting programs are ready, so that the first inspection need not wait for them. Also true
     * once they have failed or take too long, since inspections work without them, and if there are none.
     */
    readonly isWarm: Effect.Effect<boolean>;

    /**
     * URLs of what a channel or playlist lists, in its order and as it writes them. Opens none of them, and is not
     * cached. Empty if it lists nothing; `not_extractable` if the URL is something else, such as a single video.
     */
    readonly list: (request: ListRequest) => Effect.Effect<ReadonlyArray<string>, Failed>;

    /**
     * Begins with an inspection, from the cache if possible. Files live until the scope closes. Interruption
     * stops all child processes before it returns. Reports its progress (CurrentRun): `inspecting`, `fetching` and
     * `converting`.
     */
    readonly fetch: (request: FetchRequest) => Effect.Effect<Fetched, Failed, Scope.Scope>;
  }
>()("@winnow/core/ports/Downloader") {}
