/** The result of an inspection: the facts for the engine, and what a fetch needs to continue. */
import type { SourceFacts } from "@winnow/core/domain/source/SourceFacts";
import type { SourceDetails } from "@winnow/core/domain/source/SourceMetadata";
import type { PageReading } from "@winnow/pages/facts/PageReading";
import type { Info } from "../yt-dlp/InfoDict.ts";
import type { WayName } from "../ways/Ways.ts";
import type { Failed } from "@winnow/core/domain/source/Failed";
import type { SubtitleTracks } from "./subtitleTracks.ts";

/** Further media of a post; empty for a single video. */
export interface ExtraMedia {
  /** Further videos, in order. */
  readonly videos: ReadonlyArray<Info>;
  /** URLs of photos, in order. */
  readonly images: ReadonlyArray<string>;
}

export interface VideoSource {
  readonly _tag: "Video";
  readonly info: Info;
  readonly tracks: SubtitleTracks;
  /** Why captions are missing, if the source rejected a look-up; else null. */
  readonly captionsRefused: Failed | null;
  /** Candidate thumbnails, best first. */
  readonly thumbnails: ReadonlyArray<string>;
  /** Further media of the post. */
  readonly extraMedia: ExtraMedia;
  /** URLs of the HLS playlists that were checked. */
  readonly playlists: ReadonlyArray<string>;
}

export interface PhotosSource {
  readonly _tag: "Photos";
  /** In slide order. */
  readonly images: ReadonlyArray<string>;
  /** A page whose comments yt-dlp can read; null for posts it does not support. */
  readonly commentsUrl: string | null;
}

export interface WebpageSource {
  readonly _tag: "Webpage";
  readonly page: PageReading;
}

export interface Inspection {
  readonly facts: SourceFacts;
  /** Further details for `metadata.json`. */
  readonly details: SourceDetails;
  readonly source: VideoSource | PhotosSource | WebpageSource;
  readonly inspectedAtMs: number;
  /** The way that it went; addresses of media are often valid only there. */
  readonly way: WayName;
  /** Warnings about content of the page that could not be seen. */
  readonly warnings?: ReadonlyArray<string>;
}

/** What an inspection finds, whenever and by whatever way. */
export type Found = Omit<Inspection, "inspectedAtMs" | "way">;
