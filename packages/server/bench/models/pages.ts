/**
 * The pages of the trial: thirty short texts of our own with six kinds of schema, and what a reader finds in them. Of
 * each kind, four pages have the values, and the fifth is about something else.
 */
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";

export interface TrialPage {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly schema: JsonObject;
  /** Values by pointer; null if the page is about something else. */
  readonly expected: Readonly<Record<string, string | number>> | null;
}

const object = (
  properties: JsonObject,
  required: ReadonlyArray<string> = Object.keys(properties)
): JsonObject => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false
});

const text = (description: string): JsonObject => ({ type: "string", description });
const orNull = (type: string, description: string): JsonObject => ({ type: [type, "null"], description });
const date = (description: string): JsonObject => ({ type: "string", format: "date", description });

interface Kind<Facts> {
  readonly name: string;
  readonly schema: JsonObject;
  readonly write: (facts: Facts) => { readonly title: string; readonly text: string };
  readonly read: (facts: Facts) => Readonly<Record<string, string | number>>;
  readonly all: ReadonlyArray<Facts>;
}

const paragraphs = (...lines: ReadonlyArray<string>): string => lines.join("\n\n");

/** Scalars, a choice and a value that may be missing. */
const PRODUCTS: Kind<{
  name: string;
  maker: string;
  price: number;
  grams: number;
  colour: string;
  stock: string;
}> = {
  name: "product",
  schema: object({
    name: text("Name of the product."),
    maker: text("Who makes it."),
    priceEuros: { type: "number", description: "Price in euros." },
    weightGrams: orNull("number", "Weight in grams."),
    availability: { type: "string", enum: ["in_stock", "sold_out", "preorder"] }
  }),
  write: ({ name, maker, price, grams, colour, stock }) => ({
    title: `${name} by ${maker}`,
    text: paragraphs(
      `The ${name} is the newest lamp from ${maker}, a family workshop that has made lights since 1974.`,
      `It stands on a foot of ${colour} steel, weighs ${grams} grams, and its light can be dimmed in nine steps. The shade is linen and can be washed by hand. A bulb is part of the delivery.`,
      `Price: €${price.toFixed(2)}, including tax. ${stock}. Parcels leave our warehouse on working days before noon; returns are free for thirty days.`,
      `"I read under it every evening," writes a customer from Ghent. Another one found the cable too short.`
    )
  }),
  read: ({ name, maker, price, grams, stock }) => ({
    "/name": name,
    "/maker": maker,
    "/priceEuros": price,
    "/weightGrams": grams,
    "/availability":
      { "In stock": "in_stock", "Sold out": "sold_out", "Available for preorder": "preorder" }[stock] ?? ""
  }),
  all: [
    {
      name: "Heron 2",
      maker: "Lichtwerk Moss",
      price: 129.5,
      grams: 1_450,
      colour: "black",
      stock: "In stock"
    },
    { name: "Little Owl", maker: "Ateljee Vuori", price: 84, grams: 620, colour: "white", stock: "Sold out" },
    { name: "Quay", maker: "Porto & Filhos", price: 239.9, grams: 2_300, colour: "grey", stock: "In stock" },
    {
      name: "Marginal",
      maker: "Kern Leuchten",
      price: 59.95,
      grams: 480,
      colour: "red",
      stock: "Available for preorder"
    }
  ]
};

/** Dates and numbers. */
const EVENTS: Kind<{
  name: string;
  place: string;
  starts: string;
  said: string;
  price: number;
  seats: number;
}> = {
  name: "event",
  schema: object({
    name: text("Name of the event."),
    place: text("Where it takes place."),
    starts: date("First day."),
    ticketPriceEuros: { type: "number", description: "Price of a ticket in euros; 0 if entry is free." },
    seats: { type: "integer", description: "How many people find a seat." }
  }),
  write: ({ name, place, said, price, seats }) => ({
    title: name,
    text: paragraphs(
      `The ${name} begins on ${said} at the ${place}.`,
      `For the eighth time, musicians from the region play pieces that nobody has heard before. The doors open an hour before the first note, and there is soup in the yard. ${seats} people find a seat; behind them one may stand.`,
      price === 0
        ? "Entry is free; a hat goes around at the end."
        : `Tickets cost ${price} euros and are sold at the door and in the library.`,
      "The hall can be reached by bus 14. Dogs stay at home. If it rains, the second part moves indoors."
    )
  }),
  read: ({ name, place, starts, price, seats }) => ({
    "/name": name,
    "/place": place,
    "/starts": starts,
    "/ticketPriceEuros": price,
    "/seats": seats
  }),
  all: [
    {
      name: "Evening of New Quartets",
      place: "Old Tannery in Celle",
      starts: "2027-05-06",
      said: "6 May 2027",
      price: 18,
      seats: 240
    },
    {
      name: "Brass at the Lock",
      place: "Canal Museum in Delft",
      starts: "2027-06-19",
      said: "June 19th, 2027",
      price: 0,
      seats: 90
    },
    {
      name: "Winter Organ Days",
      place: "Church of St. Anne in Bruges",
      starts: "2027-01-23",
      said: "23/01/2027",
      price: 12,
      seats: 310
    },
    {
      name: "Loud Sunday",
      place: "Depot 9 in Graz",
      starts: "2027-09-05",
      said: "Sunday, 5 September 2027",
      price: 25,
      seats: 480
    }
  ]
};

/** Lists of texts. */
const RECIPES: Kind<{
  dish: string;
  serves: number;
  minutes: number;
  main: string;
  second: string;
  heat: number;
}> = {
  name: "recipe",
  schema: object({
    dish: text("Name of the dish."),
    servings: { type: "integer" },
    minutes: { type: "integer", description: "Time in the oven, in minutes." },
    degrees: { type: "integer", description: "Heat of the oven in degrees Celsius." },
    ingredients: { type: "array", items: { type: "string" }, minItems: 1 }
  }),
  write: ({ dish, serves, minutes, main, second, heat }) => ({
    title: `${dish}, as at home`,
    text: paragraphs(
      `My grandmother made ${dish} on Fridays, and I still do. The recipe is for ${serves} people who are hungry.`,
      `You need ${main}, ${second}, a spoon of salt and a little oil. Nothing else belongs into it, whatever my uncle says.`,
      `Heat the oven to ${heat} °C. Mix everything in a large bowl, put it into a buttered dish and leave it in the oven for ${minutes} minutes. The top should be brown and the middle soft. Let it stand for a while before you cut it.`,
      "It tastes better on the second day. Serve it with a green salad."
    )
  }),
  read: ({ dish, serves, minutes, heat, main }) => ({
    "/dish": dish,
    "/servings": serves,
    "/minutes": minutes,
    "/degrees": heat,
    "/ingredients/0": main
  }),
  all: [
    {
      dish: "Potato bake",
      serves: 4,
      minutes: 55,
      main: "1 kg of potatoes",
      second: "300 ml of cream",
      heat: 180
    },
    { dish: "Leek tart", serves: 6, minutes: 40, main: "three leeks", second: "250 g of flour", heat: 200 },
    {
      dish: "Pumpkin gratin",
      serves: 3,
      minutes: 35,
      main: "half a pumpkin",
      second: "120 g of hard cheese",
      heat: 190
    },
    {
      dish: "Bread pudding",
      serves: 8,
      minutes: 65,
      main: "500 g of old bread",
      second: "one litre of milk",
      heat: 160
    }
  ]
};

/** Objects within objects. */
const JOBS: Kind<{
  role: string;
  firm: string;
  city: string;
  low: number;
  high: number;
  hours: number;
  until: string;
  said: string;
}> = {
  name: "job",
  schema: object({
    role: text("Name of the position."),
    employer: object({ name: text("Name of the employer."), city: text("Where the work is done.") }),
    pay: object({ fromEuros: { type: "number" }, toEuros: { type: "number" } }),
    hoursPerWeek: { type: "number" },
    applyUntil: date("Last day for applications.")
  }),
  write: ({ role, firm, city, low, high, hours, said }) => ({
    title: `${role} (all genders)`,
    text: paragraphs(
      `${firm} in ${city} is looking for a ${role}, as soon as possible.`,
      `You look after our machines, plan their repair and teach two apprentices. We work ${hours} hours a week, never on Sundays, and decide together who is on call.`,
      `We pay between €${low.toLocaleString("en")} and €${high.toLocaleString("en")} a year, depending on experience, and a ticket for the tram.`,
      `You have learned the trade and can explain it. Send a letter by ${said}; a photograph is not needed.`
    )
  }),
  read: ({ role, firm, city, low, high, hours, until }) => ({
    "/role": role,
    "/employer/name": firm,
    "/employer/city": city,
    "/pay/fromEuros": low,
    "/pay/toEuros": high,
    "/hoursPerWeek": hours,
    "/applyUntil": until
  }),
  all: [
    {
      role: "millwright",
      firm: "Brand Mills",
      city: "Ghent",
      low: 38_000,
      high: 46_500,
      hours: 37,
      until: "2027-02-28",
      said: "28 February 2027"
    },
    {
      role: "bookbinder",
      firm: "Presswerk Nord",
      city: "Kiel",
      low: 34_200,
      high: 41_000,
      hours: 35,
      until: "2027-03-15",
      said: "March 15, 2027"
    },
    {
      role: "organ builder",
      firm: "Orgelbouw Visser",
      city: "Zwolle",
      low: 41_000,
      high: 52_000,
      hours: 38.5,
      until: "2027-04-01",
      said: "1 April 2027"
    },
    {
      role: "lift technician",
      firm: "Hoch & Tief",
      city: "Linz",
      low: 44_800,
      high: 55_300,
      hours: 40,
      until: "2027-01-31",
      said: "31.01.2027"
    }
  ]
};

/** A list of objects. */
const PLACES: Kind<{
  name: string;
  street: string;
  phone: string;
  dishes: ReadonlyArray<readonly [string, number]>;
}> = {
  name: "menu",
  schema: object({
    name: text("Name of the restaurant."),
    address: text("Street and number."),
    phone: orNull("string", "Telephone number."),
    dishes: {
      type: "array",
      minItems: 1,
      items: object({ name: text("Dish."), priceEuros: { type: "number" } })
    }
  }),
  write: ({ name, street, phone, dishes }) => ({
    title: `${name}: our menu this week`,
    text: paragraphs(
      `Welcome to ${name}, ${street}. We cook from Tuesday to Saturday, at noon and in the evening.`,
      ...dishes.map(([dish, price]) => `${dish} … ${price.toFixed(2)} €`),
      `Tables can be reserved by telephone: ${phone}. On Mondays the kitchen is closed.`,
      "Tell us what you must not eat, and we find something. Bread and water are on the house."
    )
  }),
  read: ({ name, street, phone, dishes }) => ({
    "/name": name,
    "/address": street,
    "/phone": phone,
    ...Object.fromEntries(
      dishes.flatMap(([dish, price], index): ReadonlyArray<readonly [string, string | number]> => [
        [`/dishes/${index}/name`, dish],
        [`/dishes/${index}/priceEuros`, price]
      ])
    )
  }),
  all: [
    {
      name: "The Copper Ladle",
      street: "12 Harbour Lane",
      phone: "+44 1632 960123",
      dishes: [
        ["Fish stew", 14.5],
        ["Baked turnip", 9.8],
        ["Plum cake", 4.2]
      ]
    },
    {
      name: "Trattoria Olmo",
      street: "Via dei Tigli 7",
      phone: "+39 0432 555014",
      dishes: [
        ["Ravioli with sage", 12],
        ["Braised veal", 19.5],
        ["Lemon ice", 5]
      ]
    },
    {
      name: "Zum Anker",
      street: "Deichstraße 31",
      phone: "+49 4421 555 0199",
      dishes: [
        ["Pea soup", 7.9],
        ["Fried plaice", 16.4]
      ]
    },
    {
      name: "Café Sol",
      street: "Rua do Almada 88",
      phone: "+351 22 555 0107",
      dishes: [
        ["Cod with onions", 13.2],
        ["Caldo verde", 6.5],
        ["Rice pudding", 3.9]
      ]
    }
  ]
};

/** Prose of its own words beside facts. */
const REPORTS: Kind<{
  town: string;
  people: number;
  author: string;
  day: string;
  said: string;
  cost: number;
  subject: string;
}> = {
  name: "report",
  schema: object({
    author: text("Who wrote it."),
    published: date("Day of publication."),
    town: text("The town that it is about."),
    costEuros: { type: "number", description: "What the project costs, in euros." },
    summary: text("The report in one sentence of your own.")
  }),
  write: ({ town, people, author, said, cost, subject }) => ({
    title: `${town} gets its ${subject}`,
    text: paragraphs(
      `By ${author}, ${said}`,
      `${town}, a town of ${people.toLocaleString("en")} people on the river, will have a new ${subject} after all. The council voted for it on Tuesday evening, by eleven votes to eight, after a debate of four hours.`,
      `The project costs ${cost} million euros, of which the region pays half. Work is to begin in spring, and the first visitors are expected two years later.`,
      `Those who voted against it would rather have repaired the bridge. "We will do that too," said the mayor, "but not this year." On the market the decision was greeted with applause and one trumpet.`
    )
  }),
  read: ({ town, author, day, cost }) => ({
    "/author": author,
    "/published": day,
    "/town": town,
    "/costEuros": cost * 1_000_000
  }),
  all: [
    {
      town: "Veldhoek",
      people: 14_200,
      author: "Mara Lindqvist",
      day: "2026-11-12",
      said: "12 November 2026",
      cost: 3.4,
      subject: "swimming pool"
    },
    {
      town: "Sankt Aldo",
      people: 8_900,
      author: "Piet Oosterlaan",
      day: "2026-10-03",
      said: "October 3, 2026",
      cost: 1.2,
      subject: "library"
    },
    {
      town: "Rivabella",
      people: 22_700,
      author: "Giulia Ferro",
      day: "2026-09-21",
      said: "21.09.2026",
      cost: 5.8,
      subject: "theatre"
    },
    {
      town: "Oakmere",
      people: 31_050,
      author: "Tom Adeyemi",
      day: "2026-08-07",
      said: "7 August 2026",
      cost: 12,
      subject: "tram line"
    }
  ]
};

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
