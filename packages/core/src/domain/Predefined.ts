/**
 * Schemas that come with Winnow, for everybody (docs/schemas.md lists them). A published one never changes:
 * what is better is the next version, under the next id.
 *
 * Everything a source may not tell is nullable or may be an empty array, so that the model need not invent.
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
