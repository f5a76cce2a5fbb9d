/** Views, likes, comments and shares by structured data; durations. Tests: Metadata.test.ts, PageMetadata.test.ts. */
import { writtenDurationSeconds } from "@winnow/core/domain/text/WrittenDuration";
import { countOf } from "@winnow/core/domain/text/WrittenNumbers";
import type { DescribedPage, Sourced } from "./Candidates.ts";
import { hasType, type JsonLdGraph, type JsonLdNode, nodesOf, valuesOf } from "../parse/JsonLd.ts";

/** Seconds; null for anything else and for zero, which is how players write "unknown". */
export const durationSeconds = (written: string | null | undefined): number | null =>
  writtenDurationSeconds(written ?? "") || null;

export interface PageCounts {
  readonly views: Sourced<number> | null;
  readonly likes: Sourced<number> | null;
  readonly comments: Sourced<number> | null;
  readonly shares: Sourced<number> | null;
}

const VIEW_ACTIONS: ReadonlySet<string> = new Set(["WatchAction", "ViewAction", "UserPageVisits"]);
const LIKE_ACTIONS: ReadonlySet<string> = new Set(["LikeAction", "UserLikes"]);
const COMMENT_ACTIONS: ReadonlySet<string> = new Set(["CommentAction", "UserComments"]);
const SHARE_ACTIONS: ReadonlySet<string> = new Set(["ShareAction"]);

/** From `interactionStatistic`; sites state the type of action as a name, a URL or an object. */
const interactions = (
  graph: JsonLdGraph,
  entities: ReadonlyArray<JsonLdNode>,
  actions: ReadonlySet<string>
): number | null => {
  const counters = entities.flatMap((entity) => nodesOf(graph, entity, "interactionStatistic"));
  const matching = counters.filter((counter) =>
    valuesOf(graph, counter, "interactionType").some((type) =>
      typeof type === "string"
        ? actions.has(type.slice(Math.max(type.lastIndexOf("/"), type.lastIndexOf(":")) + 1))
        : typeof type === "object" && type !== null && hasType(type as JsonLdNode, actions)
    )
  );
  const counts = matching.map((counter) => countOf(valuesOf(graph, counter, "userInteractionCount")[0]));
  return counts.find((found) => found !== null) ?? null;
};

const declared = (graph: JsonLdGraph, entities: ReadonlyArray<JsonLdNode>): number | null =>
  entities
    .map((entity) => countOf(valuesOf(graph, entity, "commentCount")[0]))
    .find((found) => found !== null) ?? null;

export const pageCounts = ({ entities, marked, scan }: DescribedPage): PageCounts => {
  const sourced = (
    read: (graph: JsonLdGraph, entities: ReadonlyArray<JsonLdNode>) => number | null
  ): Sourced<number> | null => {
    const fromJsonLd = read(scan.jsonLd, entities);
    if (fromJsonLd !== null) return { value: fromJsonLd, origin: "json-ld" };
    const fromMicrodata = read(scan.microdata, marked);
    return fromMicrodata === null ? null : { value: fromMicrodata, origin: "microdata" };
  };
  const counted = (actions: ReadonlySet<string>) =>
    sourced((graph, things) => interactions(graph, things, actions));
  return {
    views: counted(VIEW_ACTIONS),
    likes: counted(LIKE_ACTIONS),
    comments: counted(COMMENT_ACTIONS) ?? sourced(declared),
    shares: counted(SHARE_ACTIONS)
  };
};
