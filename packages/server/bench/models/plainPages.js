/** Kinds of pages whose schema is flat: a product, an event, a report. */
import { object, text, orNull, date, paragraphs } from "./pageKinds.js";
/** Scalars, a choice and a value that may be missing. */
export const PRODUCTS = {
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
export const EVENTS = {
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
/** Prose of its own words beside facts. */
export const REPORTS = {
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
