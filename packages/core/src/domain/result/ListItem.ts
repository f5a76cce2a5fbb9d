/**
 * What a list shows of an extraction, and the text it is searched by. Uses the result if there is one, else the
 * inspection at submit.
 */
import { THUMBNAIL_FILE } from "./ArtifactName.ts";
import type { Extraction } from "../run/Extraction.ts";
import { TITLE_CHARS_MAX, type SourceKind } from "../source/SourceFacts.ts";

export interface ListItem {
  readonly title: string | null;
  /** Null before the source was inspected. */
  readonly kind: SourceKind | null;
  /** As measured on the downloaded media, else as reported. */
  readonly durationSeconds: number | null;
  readonly hasThumbnail: boolean;
}

type Listed = Pick<Extraction, "inspected" | "result">;

export const listItemOf = ({ inspected, result }: Listed): ListItem => ({
  title: (result?.facts ?? inspected)?.title?.slice(0, TITLE_CHARS_MAX) ?? null,
  kind: (result?.facts ?? inspected)?.kind ?? null,
  durationSeconds: result?.measuredDurationSeconds ?? (result?.facts ?? inspected)?.durationSeconds ?? null,
  hasThumbnail: result?.artifacts.some(({ name }) => name === THUMBNAIL_FILE) ?? false
});

/** Normalises search text and searched text the same way; must work as database text. */
export const searchable = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll("\0", "").toWellFormed();

/** Title and URL as one searchable text. */
export const searchTextOf = (extraction: Listed & Pick<Extraction, "request">): string =>
  searchable(`${listItemOf(extraction).title ?? ""}\n${extraction.request.url}`);
