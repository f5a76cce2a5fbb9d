/** Keyboard navigation between rows. */

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
