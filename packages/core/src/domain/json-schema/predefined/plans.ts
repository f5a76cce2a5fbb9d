/** Predefined schemas for instructions and plans: recipes, how-tos, workouts and itineraries: what a change needs, says fields.ts. */
import { list, maybe, object, predefined, text } from "./fields.ts";

export const recipe = predefined(
  "recipe",
  1,
  "Extract the recipe that is cooked or described. Keep quantities and units as given. " +
    "If several recipes are shown, take the main one. Content without a recipe is not a match.",
  {
    title: text("Name of the dish."),
    servings: maybe("number", "Number of portions it makes."),
    prepMinutes: maybe("number", "Preparation time in minutes."),
    cookMinutes: maybe("number", "Cooking or baking time in minutes."),
    ingredients: list(
      object({
        name: text("The ingredient, without its quantity."),
        quantity: maybe("number", "How much, as a number."),
        unit: maybe("string", "Unit of the quantity, as given."),
        note: maybe("string", "How to prepare it, or what can replace it.")
      }),
      "In order of use."
    ),
    steps: list(text("One instruction."), "In order."),
    equipment: list(text("One item."), "Special equipment that not every kitchen has."),
    diets: list(
      text("A diet, such as 'vegan' or 'gluten-free'."),
      "Diets it is suitable for, only if stated."
    ),
    tips: list(text("One tip."), "The author's advice.")
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
  "Extract the instructions: what is made or repaired, what is needed, and the steps in order, one instruction " +
    "each. Include only warnings that the author gives. Content without instructions is not a match.",
  {
    title: text("What the reader learns to do, such as 'Replace a bicycle tube'."),
    summary: maybe("string", "The method in one or two sentences."),
    totalMinutes: maybe("number", "Total time in minutes, as stated."),
    difficulty: maybe("string", "In the author's words."),
    cost: maybe("string", "What it costs, with its currency, as stated."),
    tools: list(text("A tool."), "What is needed but not used up."),
    materials: list(
      object({ name: text("The material."), amount: maybe("string", "How much, as stated.") }),
      "What is used up."
    ),
    steps: list(
      object({
        instruction: text("One step."),
        startSec: maybe("number", "Seconds from the beginning, if the transcript gives times."),
        tip: maybe("string", "Advice for this step.")
      }),
      "In order."
    ),
    warnings: list(text("One warning."), "What could cause injury or damage."),
    result: maybe("string", "How to tell that it worked.")
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
  "Extract the workout: its exercises in order, with sets, repetitions, durations and rests as stated or shown. " +
    "Do not calculate what is not stated. Content without an exercise is not a match.",
  {
    title: text("Name of the workout."),
    goal: maybe("string", "What it trains, as stated."),
    level: maybe("string", "Who it is for, such as 'beginner', as stated."),
    totalMinutes: maybe("number", "Total time in minutes, as stated."),
    equipment: list(text("One item."), "Empty if no equipment is needed."),
    exercises: list(
      object({
        name: text("Name of the exercise."),
        sets: maybe("integer", "Number of sets."),
        repetitions: maybe("string", "Repetitions per set, such as '10' or '8 to 12'."),
        durationSeconds: maybe("number", "Seconds per set, if sets are timed."),
        restSeconds: maybe("number", "Seconds of rest after each set."),
        form: maybe("string", "The trainer's instructions for correct form."),
        startSec: maybe("number", "Seconds from the beginning, if the transcript gives times.")
      }),
      "In order, including warm-up and cool-down."
    ),
    rounds: maybe("integer", "How many times the whole sequence is done."),
    warnings: list(text("One warning."), "Who should not do it, or what to watch out for.")
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
  "Extract the trip: its days or stages in order, with places to go, stay and eat, and costs as stated. Include " +
    "opinions only where the author gives them. A place that is only mentioned in passing is not a stop.",
  {
    title: text("Name of the trip."),
    destinations: list(text("A country, region or town."), "Where the trip goes."),
    days: maybe("integer", "Length in days, as stated."),
    season: maybe("string", "When it takes place, or the best time for it, as stated."),
    budget: maybe("string", "Total cost with its currency, as stated."),
    stages: list(
      object({
        day: maybe("integer", "Day number, from 1."),
        place: text("Where the stage takes place."),
        activities: list(text("One thing to do or see."), "In order."),
        lodging: maybe("string", "Where to stay overnight."),
        food: list(text("A place or a dish."), "Where or what to eat."),
        transport: maybe("string", "How to get there."),
        cost: maybe("string", "Cost with its currency, as stated.")
      }),
      "In order."
    ),
    tips: list(text("One tip."), "The author's advice.")
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
        activities: ["Walk across the upper bridge"],
        lodging: null,
        food: ["francesinha"],
        transport: "on foot",
        cost: null
      }
    ],
    tips: []
  }
);
