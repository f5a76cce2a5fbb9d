/**
 * What one page tells: its text, its metadata and where its media lie.
 *
 * Everything here is a claim of the page, cleaned but not checked; addresses must pass the egress guard.
 */

import type { SourceDetails } from "@winnow/core/domain/SourceMetadata";
import type { PageLink } from "./markdown/InlineReader.ts";

/** `video` and `photos` are posts whose media are the point; everything else is a `webpage`. */
export type PageKind = "video" | "photos" | "webpage";

/** A subtitle track of the page's video. */
export interface PageSubtitle {
  /** BCP 47 tag in canonical form, `und` where the page names none or an impossible one. */
  readonly language: string;
  readonly url: string;
}

/** All addresses are absolute http or https; null or empty where the page does not say. */
export interface PageReading {
  readonly kind: PageKind;
  /**
   * Main text as plain text, one block per line; empty when the page has none. The pages of a document with pages end
   * with a form feed, as of {@link pageCount}.
   */
  readonly text: string;
  /** Of a document whose pages have numbers; null for everything else. */
  readonly pageCount: number | null;
  /**
   * The same text as CommonMark with GitHub's tables and notes; empty when the page has no text. `<!-- page N -->`
   * stands before each page of a document that has pages.
   */
  readonly markdown: string;
  /**
   * 0 to 1: how much of the page's main text it probably is, and little else (expected word F1). 1 for documents
   * without markup, whose text is all there is.
   */
  readonly textConfidence: number;
  /**
   * All that the page shows, menus included, where {@link textConfidence} is low and what is on the page might be its
   * main text, too; null elsewhere. `markdown` is empty where only the text is known.
   */
  readonly wholePage: { readonly text: string; readonly markdown: string } | null;
  /** Links of that text, each address once, in order. */
  readonly links: ReadonlyArray<PageLink>;
  readonly title: string | null;
  /** The person named as author, else the channel or the site. */
  readonly uploader: string | null;
  /** YYYYMMDD as the page writes it, never shifted through UTC. */
  readonly uploadDate: string | null;
  readonly description: string | null;
  readonly thumbnail: string | null;
  /** In slide order for `photos`. */
  readonly images: ReadonlyArray<string>;
  readonly durationSeconds: number | null;
  readonly viewCount: number | null;
  readonly likeCount: number | null;
  readonly commentCount: number | null;
  /** BCP 47 tag in canonical form. */
  readonly language: string | null;
  readonly canonicalUrl: string | null;
  /**
   * What else the page says of itself: its author apart from the site, tags, dates with their precision, things that it
   * describes to machines, and where each value was read.
   */
  readonly details: SourceDetails;
  /** Files and manifests the page offers, best first; empty when only a player knows them. */
  readonly videoUrls: ReadonlyArray<string>;
  readonly subtitles: ReadonlyArray<PageSubtitle>;
  /** The page asks for a password and shows next to nothing else. */
  readonly loginWall: boolean;
  /** The page is the shell of an application: its content appears only where its scripts run. */
  readonly needsBrowser: boolean;
}

/** Where the bytes came from. */
export interface PageSource {
  /** Final address after redirects; relative addresses resolve against it. */
  readonly url: string;
  /** Value of the Content-Type header; null when absent, then the bytes decide. */
  readonly contentType: string | null;
}
