/** A refused link that may be a channel or playlist: its first links take its place. */
import { LISTED_ITEMS_MAX, type BatchItemError, type Submission } from "@winnow/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { listedBy } from "../../data/batches.ts";
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
  /** How many are known, while they are asked for. */
  const [found, setFound] = useState<number>();
  const aborter = useRef(new AbortController());
  useEffect(() => () => aborter.current.abort(), []);
  return (
    <Form
      class="row"
      onSubmit={async () => {
        setFound(0);
        try {
          onListed(item.url ?? "", await listedBy(item, first, setFound, aborter.current.signal));
        } finally {
          setFound(undefined);
        }
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
      <button class="button" type="submit">
        {found === undefined ? linesWords.addFirst(first || 0) : linesWords.listing(found)}
      </button>
    </Form>
  );
};
