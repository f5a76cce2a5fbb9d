/** The state of each requested part: "not found" differs from "look-up failed". */
import type { CompleteResult } from "@winnow/client";
import { wordOf, words } from "../../words/words.ts";

const NAMES = ["transcript", "comments", "audio", "video"] as const;

export const Parts = ({ parts }: Pick<CompleteResult<unknown>, "parts">) => {
  const requested = NAMES.filter((name) => parts[name] !== "not_requested");
  // If everything was found, the result itself shows it.
  if (requested.every((name) => parts[name] === "found")) return null;
  return (
    <section class="panel stack tight" aria-label={words.run.parts}>
      <h2>{words.run.parts}</h2>
      <dl class="sums">
        {requested.map((name) => (
          <div key={name}>
            <dt>{words.parts.names[name]}</dt>
            <dd>{wordOf(words.run.partStates, parts[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
