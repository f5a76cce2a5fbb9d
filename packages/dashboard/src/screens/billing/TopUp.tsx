/** Buys credits, or shows the operator's note on how to get them. */
import { useQuery } from "@tanstack/preact-query";
import type { CreditPack } from "@winnow/client";
import { useLocation } from "preact-iso";
import { keys } from "../../data/cache.ts";
import { winnow } from "../../data/client.ts";
import { Problem, useAct } from "../../parts/Problem.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { number } from "../../words/format.ts";
import { cents } from "../../words/measures.ts";
import { words } from "../../words/words.ts";

/** Only http and https, so that text cannot run scripts. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/u;

const Linked = ({ text }: { readonly text: string }) => (
  <>
    {text.split(ADDRESS).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <a key={index} href={part} rel="noreferrer noopener">
          {part}
        </a>
      )
    )}
  </>
);

const Packs = ({ packs }: { readonly packs: ReadonlyArray<CreditPack> }) => {
  const { act, isBusy, error } = useAct();
  return (
    <>
      <ul class="packs">
        {packs.map(({ credits, priceCents }) => (
          <li key={credits}>
            <button
              class="button"
              type="button"
              disabled={isBusy}
              onClick={() =>
                void act(
                  () => winnow.billing.topUp({ credits }),
                  ({ url }) => location.assign(url)
                )
              }
            >
              {words.billing.buy(number(credits), cents(priceCents))}
            </button>
          </li>
        ))}
      </ul>
      <p class="hint">{words.billing.buyHint}</p>
      {error === null ? null : <Problem error={error} />}
    </>
  );
};

/** Return from the payment page: the balance shows when the credits have arrived, not this URL. */
const Paid = () => {
  const { query } = useLocation();
  return query["paid"] === "yes" ? <p role="status">{words.billing.paid}</p> : null;
};

export const TopUp = () => {
  const query = useQuery({
    queryKey: keys.billing,
    queryFn: ({ signal }) => winnow.billing.offer({ signal })
  });
  return (
    <>
      <Paid />
      <Waiting query={query} lines={1}>
        {({ packs, note }) => (
          <>
            {packs.length === 0 ? null : <Packs packs={packs} />}
            {note === null ? null : (
              <p>
                <Linked text={note} />
              </p>
            )}
            {packs.length === 0 && note === null ? <p class="hint">{words.billing.topUp}</p> : null}
          </>
        )}
      </Waiting>
    </>
  );
};
