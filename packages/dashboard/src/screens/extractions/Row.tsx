/**
 * A row of the list of extractions: one line of its name, one of its origin or its failure, and three actions.
 * Tests: lists.test.ts, selection.test.ts.
 */
import { isFree } from "../../data/free.ts";
import { useMutation } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { href } from "../../data/addresses.ts";
import { hideRow } from "../../data/cache.ts";
import { cancelRun, deleteRun, hasEnded, runsChanged, type ExtractionItem } from "../../data/extractions.ts";
import { Icon, IconButton, Thumbnail } from "../../parts/Icon.tsx";
import { memo } from "../../parts/memo.ts";
import { nameOf, paidCredits, shortUrl } from "../../parts/runTexts.ts";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { note, noteError, undoable } from "../../parts/Toasts.tsx";
import { clock, number } from "../../words/format.ts";
import { kindsWords, wordOf, words } from "../../words/words.ts";
import { FITS, submitAgain } from "./bulk.ts";
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

/** Those in the middle share a place, so that nothing moves and nobody deletes a run that has just ended. */
const Actions = ({ item, onPeek }: Pick<RowProps, "item" | "onPeek">) => {
  const { mutate, isPending } = useMutation({
    mutationFn: (act: () => Promise<void>) => act(),
    onError: noteError
  });
  const retry = async (): Promise<void> => {
    await submitAgain(item);
    runsChanged();
    note(listWords.retried);
  };
  const name = nameOf(item);
  const isOver = hasEnded(item);
  return (
    <div class="row-actions">
      <IconButton icon="eye" label={listWords.peekAt(name)} onClick={() => onPeek(item.id)} />
      {FITS.retry(item) ? (
        <button
          class="button icon-only quiet retry"
          type="button"
          title={listWords.retryFor(number(item.creditsDebited))}
          disabled={isPending}
          onClick={() => mutate(retry)}
        >
          {listWords.retry}
          <span class="sr"> {name}</span>
        </button>
      ) : isOver ? (
        <a class="button icon-only quiet" href={href(`new?from=${item.id}`)} title={listWords.again}>
          <Icon name="again" />
          <span class="sr">{listWords.againOf(name)}</span>
        </a>
      ) : (
        <IconButton
          icon="stop"
          label={listWords.cancelOf(name)}
          isDisabled={isPending}
          onClick={() => mutate(() => cancelRun(item.id))}
        />
      )}
      {isOver ? (
        <IconButton icon="bin" label={listWords.deleteOf(name)} onClick={() => remove(item)} />
      ) : null}
    </div>
  );
};

interface CellsProps {
  readonly screen: string;
  readonly name: string;
  readonly hint: string;
  readonly isBad?: boolean;
  readonly credits: number;
  readonly createdAt: string;
  /** Its state. */
  readonly children: ComponentChildren;
}

/** What a row of an extraction and one of a batch have alike. */
export const Cells = ({ screen, name, hint, isBad = false, credits, createdAt, children }: CellsProps) => (
  <>
    <div class="run-name">
      <a class="row-link" href={href(screen)} dir="auto" title={name}>
        {name}
      </a>
      <p class={isBad ? "hint bad" : "hint"} title={hint}>
        {hint}
      </p>
    </div>
    <div class="row run-facts">
      {children}
      {isFree ? null : (
        <p class="run-cost">
          <strong>{number(credits)}</strong>
          <span class="unit"> {words.creditsUnit(credits)}</span>
        </p>
      )}
      <p class="run-time hint">
        <Time iso={createdAt} />
      </p>
    </div>
  </>
);

export const Row = memo(({ item, isOfBatch, isPeeked, isSelected, onPeek, onSelect }: RowProps) => {
  const name = nameOf(item);
  const { id, error, failureReason } = item;
  return (
    <li class={`run-row${isPeeked ? " peeked" : ""}${isSelected ? " selected" : ""}`} data-run={id}>
      <label class="select">
        <input type="checkbox" checked={isSelected} onClick={(event) => onSelect(id, event.shiftKey)} />
        <span class="sr">{listWords.select(name)}</span>
      </label>
      <Thumbnail url={item.thumbnail} kind={item.kind} />
      <Cells
        screen={`runs/${id}`}
        name={name}
        hint={error ?? originOf(item, isOfBatch)}
        isBad={error !== undefined && failureReason !== "cancelled"}
        credits={paidCredits(item)}
        createdAt={item.createdAt}
      >
        <Status run={item} />
      </Cells>
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
