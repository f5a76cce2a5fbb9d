/** Predefined schemas for products, places, people and reviews: what a change needs, says fields.ts. */
import { list, maybe, predefined, text } from "./fields.ts";

export const product = predefined(
  "product",
  1,
  "Extract the product that is offered, reviewed or shown. Give prices only as stated, with their currency; do " +
    "not convert. The author's opinions belong in pros, cons and verdict, not in features.",
  {
    name: text("Name of the product, including its model."),
    brand: maybe("string", "Who makes it."),
    category: maybe("string", "Type of product."),
    price: maybe("number", "Price as stated, without its currency."),
    currency: maybe("string", "ISO 4217 code of the price, like EUR."),
    availability: maybe("string", "Whether and where it is available, as stated."),
    features: list(text("One feature."), "What it is and does, with figures."),
    pros: list(text("One advantage."), "In the author's opinion."),
    cons: list(text("One drawback."), "In the author's opinion."),
    rating: maybe("number", "The author's rating."),
    ratingMax: maybe("number", "The highest rating on that scale."),
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
  "Extract the place that is presented: a restaurant, shop, sight, hotel or another place to visit. If there are " +
    "several, take the main one. Give address, hours and prices only as stated; do not complete them.",
  {
    name: text("Name of the place."),
    kind: maybe("string", "Type of place, such as 'café' or 'museum'."),
    summary: maybe("string", "What is special about it, in one or two sentences."),
    address: maybe("string", "Street and number, as given."),
    city: maybe("string", "Town or city."),
    country: maybe("string", "Country, as given."),
    openingHours: list(text("One line, such as 'Mon to Fri 9:00 to 18:00'."), "As given."),
    priceRange: maybe("string", "As stated, with its currency."),
    highlights: list(text("A dish, an exhibit, a view."), "What to see, eat or do there."),
    pros: list(text("One advantage."), "In the author's opinion."),
    cons: list(text("One drawback."), "In the author's opinion."),
    rating: maybe("number", "The author's rating."),
    ratingMax: maybe("number", "The highest rating on that scale."),
    website: maybe("string", "URL, as given."),
    phone: maybe("string", "Phone number, as given.")
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
    cons: ["noisy at lunchtime"],
    rating: null,
    ratingMax: null,
    website: null,
    phone: null
  }
);

export const person = predefined(
  "person",
  1,
  "Extract the person the content is about, using only what it says: add nothing you know from elsewhere. " +
    "Someone who merely speaks or is mentioned is not that person.",
  {
    name: text("Name as given."),
    roles: list(text("An occupation or position."), "The main one first."),
    organization: maybe("string", "Where they work, or what they belong to."),
    born: maybe("string", "Date or year of birth in ISO 8601, as precisely as it is stated."),
    birthplace: maybe("string", "Where they were born."),
    location: maybe("string", "Where they live or work."),
    summary: maybe("string", "Who they are, in one or two sentences."),
    achievements: list(text("A work, award or accomplishment."), "As stated."),
    education: list(text("A school, degree or training course."), "As stated."),
    quotes: list(text("The exact words."), "Statements by the person."),
    links: list(text("A URL."), "The person's own pages and profiles, as given.")
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
  "Extract what the author thinks of the film, book, game, device, restaurant or other thing being reviewed. " +
    "Give a rating only if the author does; do not derive one from the tone. Facts are not opinions.",
  {
    subject: text("What is reviewed, with its maker or author if stated."),
    subjectKind: maybe("string", "Type of thing, such as 'film' or 'headphones'."),
    reviewer: maybe("string", "Who wrote or gave the review."),
    rating: maybe("number", "The rating given."),
    ratingMax: maybe("number", "The highest rating on that scale."),
    sentiment: {
      type: ["string", "null"],
      enum: ["positive", "mixed", "negative", null],
      description: "Sentiment of the review as a whole."
    },
    pros: list(text("One advantage."), "In the author's opinion."),
    cons: list(text("One drawback."), "In the author's opinion."),
    comparedWith: list(text("The name of an alternative."), "What it is compared with."),
    verdict: maybe("string", "The conclusion in one sentence."),
    recommendedFor: maybe("string", "Who it is recommended for, as stated.")
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
