/** The parts to fetch, or the inputs to read, each with its price. */
import type { Modality } from "@winnow/client";
import type { PartPrices } from "../../data/quotes.ts";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { MODALITIES } from "./draft.ts";

export interface PartChoiceProps {
  readonly isAi: boolean;
  readonly chosen: ReadonlyArray<Modality>;
  readonly prices: PartPrices;
  /** Parts that the source does not have. */
  readonly missing: ReadonlyArray<Modality>;
  readonly onChange: (chosen: ReadonlyArray<Modality>) => void;
}

/** Rounded for display; the sum is exact. */
const TENTHS = 10;

export const PartChoice = ({ isAi, chosen, prices, missing, onChange }: PartChoiceProps) => {
  const toggle = (part: Modality): void => {
    const next = MODALITIES.filter((each) =>
      each === part ? !chosen.includes(part) : chosen.includes(each)
    );
    if (next.length > 0) onChange(next);
  };
  const priceOf = (part: Modality): string => {
    const credits = prices[part];
    if (credits !== undefined) return words.parts.price(number(Math.round(credits * TENTHS) / TENTHS));
    return missing.includes(part) ? words.parts.notHere : "";
  };
  return (
    <fieldset class="panel stack tight">
      <legend class="sr">{isAi ? words.parts.inputs : words.parts.parts}</legend>
      <p class="label" aria-hidden="true">
        {isAi ? words.parts.inputs : words.parts.parts}
      </p>
      <div class="part-grid">
        {MODALITIES.map((part) => (
          <label class="check part" key={part}>
            <input type="checkbox" checked={chosen.includes(part)} onChange={() => toggle(part)} />
            <span class="grow">
              <span>{words.parts.names[part]}</span>
              <span class="hint">{priceOf(part)}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
