/** What moves on a page without anybody having done something, from now on. */
import type { JSHandle, Page } from "playwright-core";

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources?: ReadonlyArray<{ readonly node: Node | null }>;
}

/** Each with how much of the window it moves by how much, and the elements. */
export const shiftsOf = (page: Page): Promise<JSHandle<ReadonlyArray<string>>> =>
  page.evaluateHandle(() => {
    const seen: Array<string> = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources = [] } = entry as Shift;
        const moved = sources.map(({ node }) => (node as Element | null)?.outerHTML ?? node?.nodeValue);
        if (!hadRecentInput) seen.push(`${value} ${moved.join()}`);
      }
    }).observe({ type: "layout-shift" });
    return seen;
  });
