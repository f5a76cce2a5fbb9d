/** Predefined schemas of what is done step by step: cooked, made, trained, travelled. */
import { list, maybe, object, predefined, text } from "./fields.ts";

export const recipe = predefined(
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
  },
  {
    title: "Soda bread",
    servings: 8,
    prepMinutes: 10,
    cookMinutes: 40,
    ingredients: [{ name: "wholemeal flour", quantity: 400, unit: "g", note: null }],
    steps: ["Mix flour and salt.", "Bake for 40 minutes."],
    equipment: [],
    diets: ["vegetarian"],
    tips: []
  }
);

export const howTo = predefined(
  "how-to",
  1,
  "Extract the instructions: what is made or mended, what is needed, and each step as one instruction in its " +
    "order. Warnings are those that the author gives. Content that instructs nobody in anything is not a match.",
  {
    title: text("What one can do afterwards, such as 'Replace a bicycle tube'."),
    summary: maybe("string", "The way in one or two sentences."),
    totalMinutes: maybe("number", "Minutes it takes in all, as stated."),
    difficulty: maybe("string", "As the author calls it."),
    cost: maybe("string", "What it costs, with its currency, as stated."),
    tools: list(text("A tool."), "What is used and left over."),
    materials: list(
      object({ name: text("The material."), amount: maybe("string", "How much, as stated.") }),
      "What is used up."
    ),
    steps: list(
      object({
        instruction: text("One step."),
        startSec: maybe("number", "Seconds from the beginning, where the transcript tells times."),
        tip: maybe("string", "What helps at this step.")
      }),
      "In their order."
    ),
    warnings: list(text("One warning."), "What may hurt or break."),
    result: maybe("string", "How one knows that it is done.")
  },
  {
    title: "Replace a bicycle tube",
    summary: null,
    totalMinutes: 20,
    difficulty: "easy",
    cost: null,
    tools: ["tyre levers", "pump"],
    materials: [{ name: "inner tube", amount: "1" }],
    steps: [{ instruction: "Let the air out.", startSec: 14, tip: null }],
    warnings: [],
    result: null
  }
);

export const workout = predefined(
  "workout",
  1,
  "Extract the training: its exercises in their order, with sets, repetitions, durations and rests as they are " +
    "told or shown. Do not work out what is not said. Without an exercise there is no match.",
  {
    title: text("Name of the workout."),
    goal: maybe("string", "What it trains, as stated."),
    level: maybe("string", "For whom, such as 'beginner', as stated."),
    totalMinutes: maybe("number", "Minutes of the whole, as stated."),
    equipment: list(text("A thing that is needed."), "Empty when the body is enough."),
    exercises: list(
      object({
        name: text("Name of the exercise."),
        sets: maybe("integer", "How many sets."),
        repetitions: maybe("string", "Each set, such as '10' or '8 to 12'."),
        durationSeconds: maybe("number", "Seconds of each set, where it goes by time."),
        restSeconds: maybe("number", "Seconds of rest after a set."),
        form: maybe("string", "How to do it right, as the trainer says."),
        startSec: maybe("number", "Seconds from the beginning, where the transcript tells times.")
      }),
      "In their order, warm-up and cool-down among them."
    ),
    rounds: maybe("integer", "How often the whole is gone through."),
    warnings: list(text("One warning."), "Who should not, or what to look out for.")
  },
  {
    title: "Ten minutes for the core",
    goal: "core strength",
    level: "beginner",
    totalMinutes: 10,
    equipment: [],
    exercises: [
      {
        name: "Plank",
        sets: 3,
        repetitions: null,
        durationSeconds: 30,
        restSeconds: 15,
        form: "Keep the back straight.",
        startSec: 42
      }
    ],
    rounds: null,
    warnings: []
  }
);

export const travelItinerary = predefined(
  "travel-itinerary",
  1,
  "Extract the journey: its days or stages in their order, where one goes, stays and eats, and what it costs as " +
    "stated. Opinions only where they are given. A place that is only named on the way is not a stop.",
  {
    title: text("Name of the journey."),
    destinations: list(text("A country, region or town."), "Where it leads."),
    days: maybe("integer", "How many days it takes, as stated."),
    season: maybe("string", "When, or when it is best, as stated."),
    budget: maybe("string", "Cost of the whole with its currency, as stated."),
    stages: list(
      object({
        day: maybe("integer", "Number of the day, from 1."),
        place: text("Where."),
        activities: list(text("One thing to do or see."), "In their order."),
        lodging: maybe("string", "Where one sleeps."),
        food: list(text("A place or a dish."), "Where or what one eats."),
        transport: maybe("string", "How one gets there."),
        cost: maybe("string", "With its currency, as stated.")
      }),
      "In their order."
    ),
    tips: list(text("One tip."), "Advice of the author.")
  },
  {
    title: "Three days in Porto",
    destinations: ["Porto"],
    days: 3,
    season: "spring",
    budget: null,
    stages: [
      {
        day: 1,
        place: "Ribeira",
        activities: ["Walk over the upper bridge"],
        lodging: null,
        food: ["francesinha"],
        transport: "on foot",
        cost: null
      }
    ],
    tips: []
  }
);
