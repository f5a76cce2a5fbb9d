/**
 * The pages of the trial: thirty short texts of our own with six kinds of schema, and what a reader finds in them. Of
 * each kind, four pages have the values, and the fifth is about something else.
 */
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import { JOBS, PLACES, RECIPES } from "./nestedPages.ts";
import type { Kind } from "./pageKinds.ts";
import { EVENTS, PRODUCTS, REPORTS } from "./plainPages.ts";

export interface TrialPage {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly schema: JsonObject;
  /** Values by pointer; null if the page is about something else. */
  readonly expected: Readonly<Record<string, string | number>> | null;
}

const KINDS = [PRODUCTS, EVENTS, RECIPES, JOBS, PLACES, REPORTS] as unknown as ReadonlyArray<Kind<unknown>>;

const pagesOf = (kind: Kind<unknown>): ReadonlyArray<TrialPage> =>
  kind.all.map((facts, index) => ({
    name: `${kind.name} ${index + 1}`,
    ...kind.write(facts),
    schema: kind.schema,
    expected: kind.read(facts)
  }));

/** The fifth page: that of the next kind. */
const strangerOf = (index: number): TrialPage => {
  const [kind, other] = [KINDS[index], KINDS[(index + 2) % KINDS.length]];
  if (kind === undefined || other === undefined) throw new Error("no such kind");
  const { title, text: words } = other.write(other.all[index % other.all.length]);
  return { name: `${kind.name} 5`, title, text: words, schema: kind.schema, expected: null };
};

/** One of each kind after the other, so that a part of them is a fair part. */
export const PAGES: ReadonlyArray<TrialPage> = Array.from({ length: 5 }).flatMap((_, round) =>
  KINDS.map((kind, index) => (round === 4 ? strangerOf(index) : (pagesOf(kind)[round] as TrialPage)))
);
