/** A row of the list of extractions, and keyboard navigation between rows. */
import { useState } from "preact/hooks";
import { href } from "../../data/addresses.ts";
import { cancelRun, deleteRun, hasEnded, type ExtractionItem } from "../../data/extractions.ts";
import { hideRow } from "../../data/lists.ts";
import { Icon, IconButton, Thumbnail } from "../../parts/Icon.tsx";
import { memo } from "../../parts/memo.ts";
import { nameOf, paidCredits, siteOf } from "../../parts/runTexts.ts";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { note, undoable } from "../../parts/Toasts.tsx";
import { clock, number } from "../../words/format.ts";
import { wordOf, words } from "../../words/words.ts";

export interface RowProps {
  readonly item: ExtractionItem;
  readonly isPeeked: boolean;
  /** Stable, so that a row is rendered again only when it changed. */
  readonly onPeek: (id: string) => void;
}

const madeWith = ({ madeBy, apiKeyName }: ExtractionItem): string => {
  if (madeBy === "api" && apiKeyName !== null) return words.list.madeByKey(apiKeyName);
  return wordOf(words.list.madeBy, madeBy);
};

const remove = (item: ExtractionItem): void => {
  const putBack = hideRow(item.id);
  const failed = (error: Error): void => {
    putBack();
    note(error.message);
  };
  undoable(words.list.deleted, () => void deleteRun(item.id).catch(failed), putBack);
};

const Actions = ({ item, onPeek }: Omit<RowProps, "isPeeked">) => {
  const [isBusy, setBusy] = useState(false);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    await cancelRun(item.id).catch((error: Error) => note(error.message));
    setBusy(false);
  };
  const name = nameOf(item);
  return (
    <div class="row-actions">
      <IconButton icon="eye" label={words.list.peekAt(name)} onClick={() => onPeek(item.id)} />
      {hasEnded(item) ? (
        <>
          <a class="button icon-only quiet" href={href(`new?from=${item.id}`)} title={words.list.again}>
            <Icon name="again" />
            <span class="sr">{words.list.againOf(name)}</span>
          </a>
          <IconButton icon="bin" label={words.list.deleteOf(name)} onClick={() => remove(item)} />
        </>
      ) : (
        <IconButton
          icon="stop"
          label={words.list.cancelOf(name)}
          isDisabled={isBusy}
          onClick={() => void cancel()}
        />
      )}
    </div>
  );
};

export const Row = memo(({ item, isPeeked, onPeek }: RowProps) => (
  <li class={isPeeked ? "run-row peeked" : "run-row"} data-run={item.id}>
    <Thumbnail url={item.thumbnail} kind={item.kind} />
    <div class="run-name">
      <a class="row-link" href={href(`runs/${item.id}`)} dir="auto">
        {nameOf(item)}
      </a>
      <p class="hint">
        {item.kind === null ? null : <span>{wordOf(words.kinds, item.kind)}</span>}
        {item.durationSec === null ? null : <span>{clock(item.durationSec)}</span>}
        <span>{siteOf(item.url)}</span>
        <span>{madeWith(item)}</span>
      </p>
    </div>
    <Status run={item} />
    <p class="run-cost">
      <strong>{number(paidCredits(item))}</strong> {words.creditsUnit(paidCredits(item))}
    </p>
    <p class="run-time hint">
      <Time iso={item.createdAt} />
    </p>
    <Actions item={item} onPeek={onPeek} />
  </li>
));

const SELECTOR = "[data-run] a.row-link";

const rowOf = (link: Element | null): string | null =>
  link?.closest<HTMLElement>("[data-run]")?.dataset["run"] ?? null;

/** Id of the focused row. */
export const focusedRow = (): string | null => rowOf(document.activeElement);

/** Moves the focus by a number of rows; returns the id of the newly focused row. */
export const stepRow = (by: number): string | null => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(SELECTOR)];
  const current =
    document.activeElement?.closest("[data-run]") ?? document.querySelector("[data-run].peeked");
  const at = links.findIndex((link) => current?.contains(link) ?? false);
  const next = links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))];
  next?.focus();
  return rowOf(next ?? null);
};
