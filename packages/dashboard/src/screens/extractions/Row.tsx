/** A row of the list of extractions: one line of its name, one of its origin or its failure, and three actions. */
import { isFree } from "../../data/free.ts";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { hideRow } from "../../data/cache.ts";
import {
  cancelRun,
  deleteRun,
  hasEnded,
  runsChanged,
  useResult,
  type ExtractionItem
} from "../../data/extractions.ts";
import { Icon, IconButton, Thumbnail } from "../../parts/Icon.tsx";
import { memo } from "../../parts/memo.ts";
import { nameOf, paidCredits, shortUrl } from "../../parts/runTexts.ts";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { note, undoable, useNoted } from "../../parts/Toasts.tsx";
import { clock, number } from "../../words/format.ts";
import { kindsWords, wordOf, words } from "../../words/words.ts";
import { submitAgain } from "./bulk.ts";
import { listWords } from "./words.ts";

interface RowProps {
  readonly item: ExtractionItem;
  /** The list is that of its batch. */
  readonly isOfBatch: boolean;
  readonly isPeeked: boolean;
  readonly isSelected: boolean;
  // Stable, so that a row is rendered again only when it changed.
  readonly onPeek: (id: string) => void;
  readonly onSelect: (id: string, isRange: boolean) => void;
}

const madeWith = ({ madeBy, apiKeyName }: ExtractionItem): string => {
  if (madeBy === "api" && apiKeyName !== null) return listWords.madeByKey(apiKeyName);
  return wordOf(listWords.madeBy, madeBy);
};

const originOf = (item: ExtractionItem, isOfBatch: boolean): string =>
  [
    item.kind === null ? null : wordOf(kindsWords, item.kind),
    item.durationSec === null ? null : clock(item.durationSec),
    shortUrl(item.url),
    isOfBatch ? null : (item.batchName ?? null),
    madeWith(item)
  ]
    .filter((part) => part !== null)
    .join(" · ");

const remove = (item: ExtractionItem): void => {
  const putBack = hideRow(item.id);
  const failed = (error: Error): void => {
    putBack();
    note(error.message);
  };
  undoable(listWords.deleted, () => void deleteRun(item.id).catch(failed), putBack);
};

const Again = ({ item }: Pick<RowProps, "item">) => (
  <a class="button icon-only quiet" href={href(`new?from=${item.id}`)} title={listWords.again}>
    <Icon name="again" />
    <span class="sr">{listWords.againOf(nameOf(item))}</span>
  </a>
);

/** Whether the same submit may succeed later is in the result, which is asked for when the row is in sight. */
const Retry = ({ item }: { readonly item: ExtractionItem }) => {
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
    note(listWords.retried);
  };
  return (
    <span ref={place}>
      {isRetryable ? (
        <button
          class="button quiet retry"
          type="button"
          title={listWords.retryFor(number(item.creditsDebited))}
          disabled={isBusy}
          onClick={() => void act(retry)}
        >
          {listWords.retry}
          <span class="sr"> {nameOf(item)}</span>
        </button>
      ) : (
        <Again item={item} />
      )}
    </span>
  );
};

/** Cancelling and running again share a place, so that nothing moves and nobody deletes a run that has just ended. */
const Actions = ({ item, onPeek }: Pick<RowProps, "item" | "onPeek">) => {
  const { act, isBusy } = useNoted();
  const name = nameOf(item);
  return (
    <div class="row-actions">
      <IconButton icon="eye" label={listWords.peekAt(name)} onClick={() => onPeek(item.id)} />
      {!hasEnded(item) ? (
        <IconButton
          icon="stop"
          label={listWords.cancelOf(name)}
          isDisabled={isBusy}
          onClick={() => void act(() => cancelRun(item.id))}
        />
      ) : item.status === "failed" ? (
        <Retry item={item} />
      ) : (
        <Again item={item} />
      )}
      {hasEnded(item) ? (
        <IconButton icon="bin" label={listWords.deleteOf(name)} onClick={() => remove(item)} />
      ) : null}
    </div>
  );
};

export const Row = memo(({ item, isOfBatch, isPeeked, isSelected, onPeek, onSelect }: RowProps) => {
  const name = nameOf(item);
  const origin = originOf(item, isOfBatch);
  const { error, failureReason } = item;
  return (
    <li class={`run-row${isPeeked ? " peeked" : ""}${isSelected ? " selected" : ""}`} data-run={item.id}>
      <label class="select">
        <input type="checkbox" checked={isSelected} onClick={(event) => onSelect(item.id, event.shiftKey)} />
        <span class="sr">{listWords.select(name)}</span>
      </label>
      <Thumbnail url={item.thumbnail} kind={item.kind} />
      <div class="run-name">
        <a class="row-link" href={href(`runs/${item.id}`)} dir="auto" title={name}>
          {name}
        </a>
        <p
          class={error === undefined || failureReason === "cancelled" ? "hint" : "hint bad"}
          title={error ?? origin}
        >
          {error ?? origin}
        </p>
      </div>
      <Status run={item} />
      {isFree ? null : (
        <p class="run-cost">
          <strong>{number(paidCredits(item))}</strong>
          <span class="unit"> {words.creditsUnit(paidCredits(item))}</span>
        </p>
      )}
      <p class="run-time hint">
        <Time iso={item.createdAt} />
      </p>
      <Actions item={item} onPeek={onPeek} />
    </li>
  );
});

/** For the eye: each row says by itself what its parts are. */
export const Heads = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="run-heads">
    <div>{children}</div>
    <span aria-hidden="true">{listWords.statusHead}</span>
    <span aria-hidden="true">{listWords.costHead}</span>
    <span aria-hidden="true">{listWords.timeHead}</span>
  </div>
);
