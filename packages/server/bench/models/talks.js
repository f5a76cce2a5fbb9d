const english = (name, text, voice = "en-us") => ({
  name,
  voice,
  language: "en",
  text
});
export const TALKS = [
  english(
    "lamp",
    "This lamp stands on a foot of steel and weighs two kilograms. You can dim it in nine steps. I have used it for a year, and the only thing I do not like is the short cable."
  ),
  english(
    "harbour",
    "Good evening from the harbour. The last ferry leaves at seven, and the wind is getting stronger. If you want to see the old ships, come tomorrow morning, before the rain arrives."
  ),
  english(
    "bread",
    "To bake a good bread you need flour, water, salt and time. Mix everything in the evening, cover the bowl, and go to bed. In the morning the dough has done the work for you."
  ),
  english(
    "meeting",
    "Welcome to our weekly meeting. Today we have three points. First, the new office opens in March. Second, the price of paper has gone up again. Third, somebody left an umbrella in the kitchen.",
    "en-gb"
  ),
  english(
    "garden",
    "Plant the beans in the middle of May, when the nights are warm. Give them a long stick to climb, and water them twice a week. In August you can eat them every day."
  ),
  english(
    "train",
    "The train to Vienna departs from platform nine at twelve minutes past four. There is a restaurant in the third carriage. Please keep your ticket ready, and do not leave bags near the doors.",
    "en-gb"
  ),
  english(
    "music",
    "The second movement is slow and quiet. Listen to the cello, which plays the same five notes again and again, while the violins move around it like birds around a tower."
  ),
  english(
    "bicycle",
    "Before you ride, check both brakes and the pressure of the tyres. A dry chain makes a lot of noise and costs you strength. One drop of oil for each link is enough."
  ),
  english(
    "history",
    "In the year eighteen hundred and forty two a fire destroyed a third of the town. The people built it again in brick, and wider streets kept the houses apart. Some of the walls can still be seen."
  ),
  english(
    "numbers",
    "Our club has two hundred and fifteen members. Forty of them came to the meeting in June. They decided that a ticket will cost twelve euros, and that children pay half of that."
  )
];
