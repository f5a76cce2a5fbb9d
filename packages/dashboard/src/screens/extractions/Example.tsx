/**
 * A finished extraction to click through before there is one of one's own: it costs nothing, and nothing is asked.
 * Tests: firstRun.test.ts.
 */
import type { CompleteResult, EvidenceItem } from "@winnow/client";
import { PageHead } from "../../parts/Page.tsx";
import { Prose, readPlain } from "../run/PageText.tsx";
import { BackToValue, Playing } from "../run/player.tsx";
import { Values } from "../run/Values.tsx";
import { runWords } from "../run/words.ts";
import { exampleWords } from "./words.ts";

const TEXT = readPlain(`Soda bread for a quiet morning
There is no yeast in this loaf, so nothing has to rise: it is in the oven ten minutes after you began.
Mix 300 g of wholemeal flour with a teaspoon of baking soda and one of salt. Stir in 350 ml of buttermilk until there is no dry flour left, and do not knead it.
Shape it into a ball, cut a deep cross into it, and bake it at 200 degrees for forty minutes. It is done when it sounds hollow.
One loaf is enough for six people, with butter and a little patience: it slices better once it is cold.`);

const quoted = (quote: string): ReadonlyArray<EvidenceItem> => [{ source: "page", quote }];

/** What the values need of a result. */
const RESULT = {
  outcome: "ok",
  extraction: {
    dish: "Soda bread",
    ingredients: ["wholemeal flour", "baking soda", "salt", "buttermilk"],
    ovenDegrees: 200,
    bakingMinutes: 40,
    serves: 6,
    calories: 1_450
  },
  evidence: {
    "/dish": quoted("Soda bread for a quiet morning"),
    "/ingredients/0": quoted("300 g of wholemeal flour"),
    "/ingredients/1": quoted("a teaspoon of baking soda"),
    "/ingredients/2": quoted("and one of salt"),
    "/ingredients/3": quoted("350 ml of buttermilk"),
    "/ovenDegrees": quoted("bake it at 200 degrees"),
    "/bakingMinutes": quoted("for forty minutes"),
    "/serves": quoted("One loaf is enough for six people")
  }
} as unknown as CompleteResult<unknown>;

const Example = () => (
  <>
    <PageHead title={exampleWords.title} hint={exampleWords.hint} />
    <Playing>
      <div class="run">
        <Values result={RESULT} />
        <Prose title={runWords.text} drawn={TEXT} source="page" />
      </div>
      <BackToValue />
    </Playing>
  </>
);

export default Example;
