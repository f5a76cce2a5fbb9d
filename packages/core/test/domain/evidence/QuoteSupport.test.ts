import { assert, describe, it } from "@effect/vitest";
import { unprovenOf } from "../../../src/domain/evidence/EvidenceRule.ts";
import { isSupported } from "../../../src/domain/evidence/QuoteSupport.ts";
import { groundingOf } from "@winnow/testing/samples/evidence";

describe("words of the content", () => {
  it.each<[string | number | boolean | null, string]>([
    [1_200, "costs 1,200 dollars"],
    [1_200, "kostet 1.200 Euro"],
    [1_200, "1 200 kr"],
    [12.5, "only €12,50"],
    [0.12, "a share of 12 %"],
    [0.12, "el 12 por ciento"],
    [1_200, "bake for 20 minutes"],
    [5_400, "1 hour 30 minutes"],
    [3_000_000, "3 million people"],
    [4, "serves four"],
    [20, "for twenty minutes"],
    [25, "twenty-five of them"],
    [250, "two hundred and fifty grams"],
    [3_723, "at 1:02:03"],
    [4, "für vier Personen"],
    [-3, "minus 3 degrees"],
    ["2024-05-06", "on May 6th"],
    ["2024-05-06", "6. Mai"],
    ["Tomato soup", "a TOMATO  soup"],
    ["1200", "costs 1,200"],
    ["Chop the tomatoes finely", "now we are chopping our tomatoes"],
    ["番茄汤", "今天做番茄"],
    ["2024-05-06", "Monday, May 6, 2024"],
    ["2024-05-06", "06.05.2024 um 19 Uhr"],
    ["2024-05-06", "5/6/24"],
    ["2024-05-06", "el 6 de mayo de 2024"],
    ["2024-05-06", "6 мая 2024 г."],
    ["2024-05-06", "2024年5月6日"],
    ["2024-05-06", "set out on the 6th"],
    ["2024-05-06", "May 2024"],
    ["2024-05-06", "back in 2024"],
    ["2024-05-06", "this Monday"],
    ["2024-05-06T19:30:00Z", "doors at 7:30 pm"],
    ["19:00", "from 7 p.m. on"],
    ["09:30", "à 9h30"],
    ["09:30", "الساعة ٩:٣٠ صباحا"],
    ["PT1H30M", "takes 1 hour 30 minutes"],
    ["PT45M", "45 Minuten"],
    [0.5, "½ cup of sugar"],
    [1.5, "1 1/2 cups"],
    [0.75, "3/4 of them"],
    [3_000, "3 kg of flour"],
    [2_500, "a walk of 2.5 km"],
    [1_500, "1.5 litres of milk"],
    [5_000_000, "a file of 5 MB"],
    [60, "within two months"],
    ["P7D", "for one week"],
    [1_500_000, "1.5M views"],
    [2_400_000, "2,4 Mio. Euro"],
    [30_000, "3万人"],
    [1_250, "only €12.50"],
    [1_234.5, "1.234,50 Euro"],
    [1_234.567, "a length of 1,234.567 m"],
    [0.99, "99 cents"],
    [2_024, "on 06.05.2024"],
    [120, "two minutes in"],
    [0.25, "25 per cent"],
    ["EUR", "only €12.50"],
    ["USD", "nine dollars"],
    ["DE", "made in Germany"],
    ["fr", "in French with subtitles"],
    ["InStock", "in stock, ready to ship"],
    ["part_time", "Part-time position"],
    ["https://schema.org/FullTime", "a full-time job"],
    ["+1 555 123 4567", "call (555) 123-4567"],
    ["Ada Lovelace", "by Lovelace, Ada"],
    ["2024-05", "May 2024"],
    ["2024-05", "on 06.05.2024"],
    ["500 g", "500 grams of flour"],
    ["45 minutes", "takes 45 min"],
    ["Chapter 3", "chapter three"],
    [0, "Free"],
    [0, "Eintritt: kostenlos"],
    [0, "Entrée gratuite"],
    [0, "ingresso grátis"],
    ["2024-05-06", "5 March 2024 and 6 May"],
    ["2024-05-06", "6 April, 2024-05-06"],
    ["2026-01-27T18:15", "1/27/2026, 6:15 PM"],
    ["2026-01-27T18:15", "27 January 2026 from 18:15 to 20:00"],
    ["2026-01-27T00:00:00Z", "1/27/2026 - 3/24/2026"],
    ["2026-01-27T23:15:00Z", "Jan 27, 2026 6:15 PM EST"],
    ["2026-01-27T17:15:00Z", "2026-01-27 18:15 GMT+01:00"],
    [true, "it is vegan"],
    ["1917043659912705296", "number 1917043659912705296"],
    ["1917043659912705296", "number 1,917,043,659,912,705,296"],
    [1e18, "1,000,000,000,000,000,000 of them"],
    [1.917e18, "1,917,000 trillion"],
    [3.141592653589793, "pi is 3.14159265358979323846"],
    [null, "no price is given"]
  ])("bear %j out: %s", (value, quote) => {
    assert.isTrue(isSupported(value, quote));
  });

  it.each<[string | number, string]>([
    [999, "the"],
    [999, "costs 12 dollars"],
    [4, "the soup"],
    [12, "in 1984"],
    [1_234_567_890_123, "number 1234567890124"],
    [Number("1917043659912705296"), "number 1917043659912705296"],
    ["1917043659912705300", "number 1917043659912705296"],
    ["1917043659912705297", "number 1,917,043,659,912,705,296"],
    ["Tomato soup", "the weather is fine"],
    ["2024-05-06", "some day in spring"],
    ["hard", "takes five minutes"],
    ["1200", "the price"],
    ["2024-05-06", "May 7, 2024"],
    ["2024-05-06", "6 May 2023"],
    ["2024-05-06", "07.05.2024"],
    ["2024-05-06", "6 tomatoes"],
    ["2024-05-06", "5 March 2023 and 6 May"],
    ["2024-05-06", "Monday, 5 March 2024, until the 6th"],
    ["2024-05-06", "back in 1999"],
    ["2024-05-06T19:30:00Z", "doors at 8 pm"],
    ["PT45M", "20 minutes"],
    ["PT45M", "45 people"],
    [50, "only €12.50"],
    [125, "0,125 of them"],
    [1_234_567, "1,234.567 of them"],
    [5, "5,000 people"],
    [300, "three people"],
    [3_000, "3 tomatoes"],
    [180, "3 days"],
    [60, "one of them"],
    ["2024-05", "June 2024"],
    ["45 minutes", "a few minutes later"],
    ["EUR", "only $12.50"],
    ["DE", "made in France"],
    ["https://example.com/a", "see https://example.org/b"],
    ["+1 555 123 4567", "call (555) 999-0000"],
    [3, "Free"],
    ["2026-01-27T18:15", "1/27/2026 - 3/24/2026"],
    ["2026-01-27T18:15", "27 January 2026, doors at 8 pm"],
    ["2026-01-27T18:15:00Z", "27 January 2026 at 5 pm THE END"],
    ["2026-01-27T18:15:00Z", "27 January 2026 at 5:20 pm EST"],
    ["Chop the tomatoes finely", "he said finely"]
  ])("do not bear %j out: %s", (value, quote) => {
    assert.isFalse(isSupported(value, quote));
  });

  it("are read in linear time", () => {
    for (const odd of [" ", "1 ", "1.", "1 1/", "9h", "1 de ", "\u00bd", "minute", "\u5e74", "and one "]) {
      const quote = odd.repeat(4_000 / odd.length);
      const before = process.cpuUsage();
      for (const value of [
        "2024-05-06T19:30:00Z",
        "PT45M",
        "19:00",
        45,
        "Tomato soup",
        "45 minutes",
        "EUR"
      ]) {
        isSupported(value, quote);
      }
      assert.isBelow(process.cpuUsage(before).user / 1_000, 2_000, JSON.stringify(odd));
    }
  });

  it("that contradict the value are marked as such and prove nothing", () => {
    const extraction = { price: 999, title: "Tomato soup" };
    const texts = [
      {
        source: "page" as const,
        segments: [{ text: "the Tomato soup of today", startSeconds: null, endSeconds: null, author: null }]
      }
    ];
    const quotes = [
      { pointer: "/price", quote: "the" },
      { pointer: "/title", quote: "of today" }
    ];
    const evidence = groundingOf(extraction, quotes, texts);
    assert.deepStrictEqual(evidence, {
      "/price": [{ source: "page", quote: "the", supported: false }],
      "/title": [
        { source: "page", quote: "of today", supported: false },
        { source: "page", quote: "Tomato soup" }
      ]
    });
    assert.deepStrictEqual([...unprovenOf(extraction, evidence)], ["/price"]);
  });
});
