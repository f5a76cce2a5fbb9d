/** A refused link that may be a channel or playlist: its first links take its place. */
import { LISTED_ITEMS_MAX, type BatchItemError, type Submission } from "@winnow/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { listedBy } from "../../data/batches.ts";
import { useAct } from "../../parts/Waiting.tsx";
import { LISTS } from "../../words/refusals.ts";
import { linesWords } from "./words.ts";
import { Form } from "../../parts/Form.tsx";

const FIRST_DEFAULT = 50;

export const mayList = ({ details }: Pick<BatchItemError, "details">): boolean =>
  LISTS.has(details?.["reason"]) || details?.["reason"] === "not_extractable";

interface ListingProps {
  readonly item: Submission;
  readonly onListed: (url: string, links: ReadonlyArray<string>) => void;
}

export const Listing = ({ item, onListed }: ListingProps) => {
  const [first, setFirst] = useState(FIRST_DEFAULT);
  const [found, setFound] = useState(0);
  const { act, isBusy, error } = useAct();
  const aborter = useRef(new AbortController());
  useEffect(() => () => aborter.current.abort(), []);
  return (
    <Form
      class="row"
      onSubmit={() => {
        if (!isBusy)
          void act(
            () => listedBy(item, first, setFound, aborter.current.signal),
            (links) => onListed(item.url ?? "", links)
          );
      }}
    >
      <input
        type="number"
        required
        min="1"
        max={LISTED_ITEMS_MAX}
        value={first}
        aria-label={linesWords.howMany}
        onInput={(event) => setFirst(event.currentTarget.valueAsNumber)}
      />
      <button class="button" type="submit" aria-disabled={isBusy}>
        {isBusy ? linesWords.listing(found) : linesWords.addFirst(first || 0)}
      </button>
      {error instanceof Error ? (
        <p class="fault" role="alert">
          {error.message}
        </p>
      ) : null}
    </Form>
  );
};
