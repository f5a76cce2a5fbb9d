/**
 * What one look at a URL found: the facts that leave this folder, and what a fetch needs to go on from.
 */
import type { SourceFacts } from "@winnow/core/domain/SourceFacts";
import type { SourceDetails } from "@winnow/core/domain/SourceMetadata";
import type { PageReading } from "../page/PageReading.ts";
import type { Info } from "./yt-dlp/InfoDict.ts";
import type { LookupRefused } from "./lookups.ts";
import type { SubtitleTracks } from "./subtitleTracks.ts";

/** The rest of a post of several media; empty for a video that stands alone. */
export interface BesideVideo {
  /** Further videos, in their order. */
  readonly videos: ReadonlyArray<Info>;
  /** Addresses of photos, in their order. */
  readonly images: ReadonlyArray<string>;
}

export const NOTHING_BESIDE: BesideVideo = { videos: [], images: [] };

export interface VideoSource {
  readonly _tag: "Video";
  readonly info: Info;
  readonly tracks: SubtitleTracks;
  /** Why there are none, where the source would not say; else null. */
  readonly captionsRefused: LookupRefused | null;
  /** Pictures that stand for the video, best first. */
  readonly thumbnails: ReadonlyArray<string>;
  /** What a post holds beside it. */
  readonly beside: BesideVideo;
  /** Addresses of the HLS playlists that were looked at. */
  readonly playlists: ReadonlyArray<string>;
}

export interface PhotosSource {
  readonly _tag: "Photos";
  /** In slide order. */
  readonly images: ReadonlyArray<string>;
  /** Page that yt-dlp can read comments of; null for posts that it does not know. */
  readonly commentsUrl: string | null;
}

export interface WebpageSource {
  readonly _tag: "Webpage";
  readonly page: PageReading;
}

export interface Inspection {
  readonly facts: SourceFacts;
  /** What else was told, for `metadata.json`. */
  readonly details: SourceDetails;
  readonly source: VideoSource | PhotosSource | WebpageSource;
  readonly inspectedAtMs: number;
  /** Sentences about what could not be seen of the page. */
  readonly warnings?: ReadonlyArray<string>;
}

const charsOf = ({ markdown, text, wholePage }: PageReading): number =>
  [text, markdown, wholePage?.text ?? "", wholePage?.markdown ?? ""].reduce(
    (sum, each) => sum + each.length,
    0
  );

const sourceSizeBytes = (source: Inspection["source"]): number => {
  switch (source._tag) {
    case "Video":
      return [source.info, ...source.beside.videos].reduce(
        (sum, { raw }) => sum + JSON.stringify(raw).length * 3,
        0
      );
    case "Photos":
      return source.images.join("").length * 2;
    case "Webpage":
      return charsOf(source.page) * 2;
  }
};

/** About how much memory a kept look takes, for the cache. */
export const inspectionSizeBytes = ({ details, source }: Inspection): number =>
  JSON.stringify(details).length * 3 + sourceSizeBytes(source);
