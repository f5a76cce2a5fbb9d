/** The action of a failed row. */
import { useEffect, useRef, useState } from "preact/hooks";
import { runsChanged, useResult, type ExtractionItem } from "../../data/extractions.ts";
import { nameOf } from "../../parts/runTexts.ts";
import { note } from "../../parts/Toasts.tsx";
import { number } from "../../words/format.ts";
import { submitAgain } from "./bulk.ts";
import { Again } from "./Row.tsx";
import { useNoted } from "../../parts/Toasts.tsx";
import { laterWords } from "./laterWords.ts";

/** Whether the same submit may succeed later is in the result, which is asked for when the row is in sight. */
export const Retry = ({ item }: { readonly item: ExtractionItem }) => {
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  const { act, isBusy } = useNoted();
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const { data: result } = useResult(item.id, isSeen);
  const isRetryable = result?.status === "failed" && result.failure.retryable;
  const retry = async (): Promise<void> => {
    await submitAgain(item);
    runsChanged();
    note(laterWords.retried);
  };
  return (
    <span ref={place}>
      {isRetryable ? (
        <button
          class="button quiet retry"
          type="button"
          title={laterWords.retryFor(number(item.creditsDebited))}
          disabled={isBusy}
          onClick={() => void act(retry)}
        >
          {laterWords.retry}
          <span class="sr"> {nameOf(item)}</span>
        </button>
      ) : (
        <Again item={item} />
      )}
    </span>
  );
};
