/** Predefined schemas of things, places and people, and of what somebody thinks of them. */
import { list, maybe, predefined, text } from "./fields.ts";

export const product = predefined(
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
  },
  {
    name: "Kettle K2",
    brand: "Example",
    category: "kettle",
    price: 49.9,
    currency: "EUR",
    availability: null,
    features: ["1.7 litres"],
    pros: ["quiet"],
    cons: [],
    rating: 4,
    ratingMax: 5,
    verdict: null
  }
);

export const place = predefined(
  "place",
  1,
  "Extract the place that is presented: a restaurant, shop, sight, hotel or other spot that one can visit. With " +
    "several, take the main one. Address, hours and prices only as stated; do not complete them.",
  {
    name: text("Name of the place."),
    kind: maybe("string", "What it is, such as 'café' or 'museum'."),
    summary: maybe("string", "What is special about it, in one or two sentences."),
    address: maybe("string", "Street and number, as given."),
    city: maybe("string", "Town or city."),
    country: maybe("string", "As given."),
    openingHours: list(text("One line, such as 'Mo to Fr 9:00 to 18:00'."), "As given."),
    priceRange: maybe("string", "As stated, with its currency."),
    highlights: list(text("A dish, an exhibit, a view."), "What one should see, eat or do."),
    pros: list(text("One advantage."), "As the author sees it."),
    cons: list(text("One drawback."), "As the author sees it."),
    rating: maybe("number", "The author's rating."),
    ratingMax: maybe("number", "The best rating on that scale."),
    website: maybe("string", "Address, as given."),
    phone: maybe("string", "Number, as given.")
  },
  {
    name: "Café Example",
    kind: "café",
    summary: null,
    address: "Main Street 1",
    city: "Graz",
    country: null,
    openingHours: ["daily 8:00 to 18:00"],
    priceRange: null,
    highlights: ["apple strudel"],
    pros: [],
    cons: ["loud at noon"],
    rating: null,
    ratingMax: null,
    website: null,
    phone: null
  }
);

export const person = predefined(
  "person",
  1,
  "Extract the person whom the content is about, only as told there: add nothing that you know from elsewhere. " +
    "Whoever merely speaks or is mentioned is not that person.",
  {
    name: text("Name as given."),
    roles: list(text("An occupation or a position."), "The main one first."),
    organization: maybe("string", "Where they work or belong."),
    born: maybe("string", "Date or year of birth, ISO 8601 as far as it is known."),
    birthplace: maybe("string", "Where they were born."),
    location: maybe("string", "Where they live or work."),
    summary: maybe("string", "Who they are, in one or two sentences."),
    achievements: list(text("A work, prize or deed."), "As told."),
    education: list(text("A school, degree or training."), "As told."),
    quotes: list(text("Word for word."), "What they say themselves."),
    links: list(text("An address."), "Own pages and profiles, as given.")
  },
  {
    name: "Ada Example",
    roles: ["engineer"],
    organization: null,
    born: "1990",
    birthplace: null,
    location: "Oslo",
    summary: null,
    achievements: ["Built the first example"],
    education: [],
    quotes: [],
    links: []
  }
);

export const review = predefined(
  "review",
  1,
  "Extract what the author thinks of the thing that is reviewed: a film, book, game, device, restaurant or other. " +
    "The rating only when the author gives one; do not make one of the tone. Facts are not opinions.",
  {
    subject: text("What is reviewed, with its maker or author where told."),
    subjectKind: maybe("string", "What it is, such as 'film' or 'headphones'."),
    reviewer: maybe("string", "Who reviews it."),
    rating: maybe("number", "The rating given."),
    ratingMax: maybe("number", "The best rating on that scale."),
    sentiment: {
      type: ["string", "null"],
      enum: ["positive", "mixed", "negative", null],
      description: "Of the whole review."
    },
    pros: list(text("One advantage."), "As the author sees it."),
    cons: list(text("One drawback."), "As the author sees it."),
    comparedWith: list(text("Another thing."), "What it is held against."),
    verdict: maybe("string", "The conclusion in one sentence."),
    recommendedFor: maybe("string", "For whom, as stated.")
  },
  {
    subject: "Headphones H1",
    subjectKind: "headphones",
    reviewer: null,
    rating: 8,
    ratingMax: 10,
    sentiment: "positive",
    pros: ["light"],
    cons: ["no case"],
    comparedWith: [],
    verdict: null,
    recommendedFor: "commuters"
  }
);
