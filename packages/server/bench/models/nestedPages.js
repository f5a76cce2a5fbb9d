/** Kinds of pages whose schema has lists and objects: a recipe, a job, a menu. */
import { object, text, orNull, date, paragraphs } from "./pageKinds.js";
/** Lists of texts. */
export const RECIPES = {
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
export const JOBS = {
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
export const PLACES = {
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
      dishes.flatMap(([dish, price], index) => [
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
