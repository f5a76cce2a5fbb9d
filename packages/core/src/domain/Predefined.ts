/**
 * Schemas that come with Winnow, for everybody. A published one never changes: what is better is the next
 * version, under the next id.
 *
 * Everything a source may not tell is nullable or may be an empty array, so that the model need not invent.
 */
import type { SavedSchema } from "./SavedSchema.ts";
import type { JsonObject } from "./SchemaRules.ts";

/** No id of a saved schema begins like this. */
const NAMESPACE = "winnow.predefined";

const PUBLISHED_AT_MS = Date.UTC(2026, 10, 1);

const text = (description: string): JsonObject => ({ type: "string", description });
const maybe = (type: string, description: string): JsonObject => ({ type: [type, "null"], description });
const list = (items: JsonObject, description: string): JsonObject => ({ type: "array", items, description });

/** All members are required, as the strict modes of providers want it, and no others allowed. */
const object = (properties: Readonly<Record<string, JsonObject>>): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
});

const predefined = (
  name: string,
  version: number,
  prompt: string,
  properties: Readonly<Record<string, JsonObject>>
): SavedSchema => ({
  id: `${NAMESPACE}.${name}.v${version}`,
  name,
  schema: object(properties),
  prompt,
  version,
  createdAtMs: PUBLISHED_AT_MS
});

const recipe = predefined(
  "recipe",
  1,
  "Extract the recipe that is cooked or described. Keep quantities and units as they are given. " +
    "If several recipes are shown, take the main one. Without a recipe there is no match.",
  {
    title: text("Name of the dish."),
    servings: maybe("number", "Portions it makes."),
    prepMinutes: maybe("number", "Minutes of preparation."),
    cookMinutes: maybe("number", "Minutes of cooking or baking."),
    ingredients: list(
      object({
        name: text("The ingredient, without its quantity."),
        quantity: maybe("number", "How much, as a number."),
        unit: maybe("string", "Unit of the quantity, as given."),
        note: maybe("string", "How it is prepared, or what may replace it.")
      }),
      "In the order of their use."
    ),
    steps: list(text("One instruction."), "In the order of cooking."),
    equipment: list(text("A tool that is needed."), "Beyond what every kitchen has."),
    diets: list(text("For example vegan or gluten-free."), "Only those that are stated."),
    tips: list(text("One tip."), "Advice of the author.")
  }
);

const product = predefined(
  "product",
  1,
  "Extract the product that is offered, reviewed or shown. Prices only as stated, with their currency; do " +
    "not convert. Opinions of the author belong in pros, cons and verdict, not among the features.",
  {
    name: text("Name of the product with its model."),
    brand: maybe("string", "Who makes it."),
    category: maybe("string", "What kind of thing it is."),
    price: maybe("number", "Price as stated, without its currency."),
    currency: maybe("string", "ISO 4217 code of the price, like EUR."),
    availability: maybe("string", "Where or whether it can be had, as stated."),
    features: list(text("One feature."), "What it is and does, with figures."),
    pros: list(text("One advantage."), "As the author sees it."),
    cons: list(text("One drawback."), "As the author sees it."),
    rating: maybe("number", "The author's rating."),
    ratingMax: maybe("number", "The best rating on that scale."),
    verdict: maybe("string", "The author's conclusion in one sentence.")
  }
);

const event = predefined(
  "event",
  1,
  "Extract the event that is announced. Dates and times in ISO 8601 as far as they are known, local to the " +
    "event and without guessing a year or a time zone that is not given. With several, take the main one.",
  {
    title: text("Name of the event."),
    summary: maybe("string", "What it is, in one or two sentences."),
    startsAt: maybe("string", "ISO 8601 date, with the time where it is known."),
    endsAt: maybe("string", "ISO 8601 date, with the time where it is known."),
    timeZone: maybe("string", "As given: a name or an offset."),
    venue: maybe("string", "Name of the place; null for online events."),
    address: maybe("string", "Street, town and country, as given."),
    isOnline: maybe("boolean", "Whether one can take part from afar."),
    organizer: maybe("string", "Who holds it."),
    people: list(text("A name."), "Speakers, artists or hosts."),
    price: maybe("string", "Price or range with its currency, or that it is free."),
    registrationUrl: maybe("string", "Where to sign up or buy a ticket.")
  }
);

const article = predefined(
  "article-summary",
  1,
  "Summarise for somebody who will not read the source. Tell what it says, not that it says it; keep names, " +
    "figures and dates exact; tell claims of others from facts. Write in the language of the source.",
  {
    headline: text("What it is about, in at most twelve words."),
    summary: text("The whole in three to five sentences."),
    keyPoints: list(text("One point."), "Three to seven, the most important first."),
    people: list(text("A name, with the role where it is given."), "Who matters in it."),
    organizations: list(text("A name."), "Which companies, bodies and groups matter in it."),
    places: list(text("A name."), "Where it happens."),
    quotes: list(
      object({ text: text("Word for word."), speaker: maybe("string", "Who said it.") }),
      "Statements worth quoting."
    ),
    topics: list(text("A subject in one to three words."), "For a catalogue."),
    language: maybe("string", "ISO 639-1 code of the source.")
  }
);

const talk = predefined(
  "talk",
  1,
  "Extract what is said in this talk, lecture, interview or podcast. Sections follow the course of it; give " +
    "their start only where the transcript tells times. Attribute claims to their speakers.",
  {
    title: text("Title of the talk."),
    speakers: list(
      object({
        name: text("Name as given."),
        role: maybe("string", "Position and organisation, as given.")
      }),
      "In the order of their appearance."
    ),
    occasion: maybe("string", "Conference, series or show."),
    thesis: maybe("string", "The main claim in one sentence."),
    sections: list(
      object({
        title: text("What this part is about."),
        startSec: maybe("number", "Seconds from the beginning."),
        summary: text("What is said, in one to three sentences.")
      }),
      "In order, from the beginning to the end."
    ),
    takeaways: list(text("One thing to remember."), "Three to seven."),
    references: list(text("A book, paper, tool or site that is named."), "As they are named."),
    questions: list(
      object({ question: text("As asked."), answer: maybe("string", "As answered, in short.") }),
      "Of the audience or the interviewer."
    )
  }
);

/** By id. */
export const PREDEFINED: ReadonlyMap<string, SavedSchema> = new Map(
  [recipe, product, event, article, talk].map((schema) => [schema.id, schema])
);
