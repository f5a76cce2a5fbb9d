/**
 * Predefined schemas, available to every account (docs/schemas.md lists them). A released schema never changes:
 * improvements get the next version and a new id.
 *
 * Everything a source may leave out is nullable or may be an empty array, so that the model need not invent values.
 * Tests: SchemaRules.test.ts.
 */
import type { SavedSchema } from "./SavedSchema.ts";
import { article, articleSummary, podcastEpisode, talk } from "./predefined/media.ts";
import { event, jobPosting } from "./predefined/notices.ts";
import { howTo, recipe, travelItinerary, workout } from "./predefined/plans.ts";
import { person, place, product, review } from "./predefined/things.ts";

/** By id. */
export const PREDEFINED: ReadonlyMap<string, SavedSchema> = new Map(
  [
    recipe,
    product,
    article,
    articleSummary,
    event,
    place,
    howTo,
    jobPosting,
    person,
    review,
    podcastEpisode,
    talk,
    travelItinerary,
    workout
  ].map((schema) => [schema.id, schema])
);
