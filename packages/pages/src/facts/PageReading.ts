/**
 * What was read from one page: its text, its metadata and its media URLs.
 *
 * Everything here is a claim of the page, cleaned but not checked; URLs must pass the egress guard.
 */

import type { MetadataLink, SourceDetails } from "@winnow/core/domain/source/SourceMetadata";
import type { TextSection } from "@winnow/core/domain/text/InputText";

/** `video` and `photos` are posts whose point is their media; everything else is a `webpage`. */
export type PageKind = "video" | "photos" | "webpage";

/** A subtitle track of the page's video. */
export interface PageSubtitle {
  /** BCP 47 tag in canonical form, `und` if the page names none or an invalid one. */
  readonly language: string;
  readonly url: string;
}

/** What is said of a file of subtitles. */
export interface SubtitleLabel {
  readonly url: string;
  readonly label: string;
}

/** The page's main text. */
export interface PageText {
  /**
   * One block per line; empty if the page has none. Each page of a paginated document ends with a form feed (see
   * {@link pageCount}).
   */
  readonly plain: string;
  /**
   * As CommonMark with GitHub's tables and footnotes; empty if the page has no text. In a paginated document, each
   * page is preceded by `<!-- page N -->`.
   */
  readonly markdown: string;
  /** The same by page and heading. */
  readonly sections: ReadonlyArray<TextSection>;
  /** Of that text, in order, without duplicates and tracking parameters; also `mailto:`. */
  readonly links: ReadonlyArray<MetadataLink>;
  /**
   * 0 to 1: how well the text probably matches the page's main text (expected word F1). 1 for documents without
   * markup, whose whole text is taken.
   */
  readonly confidence: number;
  /**
   * All visible text, including menus, if {@link confidence} is low and this text might also be the main text;
   * otherwise null. `markdown` is empty if only the plain text is known.
   */
  readonly wholePage: (Pick<PageText, "markdown" | "sections"> & { readonly text: string }) | null;
  /** For a document with page numbers; null for everything else. */
  readonly pageCount: number | null;
  /** Numbers of the pages that are pictures, as scanners make them: their words are not in the text. */
  readonly scannedPages: ReadonlyArray<number>;
}

/** What the page states about itself; values that it does not state are null. */
export interface PageMetadata {
  readonly title: string | null;
  /** The named author, otherwise the channel or the site. */
  readonly uploader: string | null;
  /** YYYYMMDD as written on the page, never shifted through UTC. */
  readonly uploadDate: string | null;
  readonly description: string | null;
  readonly thumbnail: string | null;
  readonly durationSeconds: number | null;
  readonly viewCount: number | null;
  readonly likeCount: number | null;
  readonly commentCount: number | null;
  /** BCP 47 tag in canonical form. */
  readonly language: string | null;
  readonly canonicalUrl: string | null;
  /**
   * The author apart from the site, tags, dates with their precision, structured entities, and where each value was
   * read.
   */
  readonly details: SourceDetails;
}

export interface PageMedia {
  /** In slide order for `photos`. */
  readonly images: ReadonlyArray<string>;
  /** Files and manifests that the page offers, best first; empty if only a player can determine them. */
  readonly videoUrls: ReadonlyArray<string>;
  readonly subtitles: ReadonlyArray<PageSubtitle>;
  /** Of all tracks, also those that translate signs only, which are not among the subtitles. */
  readonly subtitleLabels: ReadonlyArray<SubtitleLabel>;
}

/** All URLs are absolute http or https. */
export interface PageReading {
  readonly kind: PageKind;
  readonly text: PageText;
  readonly metadata: PageMetadata;
  readonly media: PageMedia;
  /** The page requires a password and shows almost nothing else. */
  readonly loginWall: boolean;
  /** The page is the shell of an application: its content appears only when its scripts run. */
  readonly needsBrowser: boolean;
  /** The page that this one sends its readers to within ten seconds. Null if they stay. */
  readonly refreshUrl: string | null;
}

/** The source of the bytes. */
export interface PageSource {
  /** Final URL after redirects; relative URLs resolve against it. */
  readonly url: string;
  /** Value of the Content-Type header; null if absent: then the bytes decide. */
  readonly contentType: string | null;
}
