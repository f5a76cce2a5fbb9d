/** Keywords of a page, from the first place that has any. Tests: PageMetadata.test.ts. */
import type { MetadataOrigin } from "@winnow/core/domain/source/SourceMetadata";
import {
  type Candidate,
  type DescribedPage,
  jsonLdCandidates,
  microdataCandidates,
  type Sourced
} from "./Candidates.ts";
import { TAG_CHARS_MAX, TAGS_MAX } from "../PageLimits.ts";
import { decoded, folded, oneLine } from "../parse/PlainText.ts";

/** Without duplicates, empty and overlong ones. */
export const tagsOf = (written: ReadonlyArray<string>): ReadonlyArray<string> => {
  const tags = new Map<string, string>();
  for (const text of written) {
    const tag = oneLine(decoded(text), TAG_CHARS_MAX + 1);
    if (tag === null || tag.length > TAG_CHARS_MAX || tags.size >= TAGS_MAX) continue;
    const key = folded(tag) || tag;
    if (!tags.has(key)) tags.set(key, tag);
  }
  return [...tags.values()];
};

/** A list in one string, separated by commas. */
export const splitTags = (text: string): ReadonlyArray<string> => text.split(/[,;]/);

export const pageTags = (page: DescribedPage): Sourced<ReadonlyArray<string>> | null => {
  const { meta } = page.scan;
  const of = (origin: MetadataOrigin, keys: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
    keys.flatMap((key) => (meta.get(key) ?? []).map((text): Candidate => [origin, text]));
  const places = [
    jsonLdCandidates(page, ["keywords"]),
    of("open-graph", ["article:tag", "og:article:tag", "video:tag", "og:video:tag", "book:tag"]),
    microdataCandidates(page, ["keywords"]),
    of("meta", ["keywords", "news_keywords", "parsely-tags", "sailthru.tags"])
  ];
  for (const candidates of places) {
    const tags = tagsOf(candidates.flatMap(([, text]) => splitTags(text)));
    const [origin] = candidates[0] ?? [];
    if (tags.length > 0 && origin !== undefined) return { value: tags, origin };
  }
  return null;
};
