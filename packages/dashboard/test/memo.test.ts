/** Rows of long lists are drawn again only if one of their properties changed. */
import { h, render } from "preact";
import { assert, it, onTestFinished, vi } from "vitest";
import { memo } from "../src/parts/memo.ts";

it("a row is drawn again only if a property changed", () => {
  const drawn: Array<number> = [];
  const Row = memo(({ number }: { readonly number: number }) => {
    drawn.push(number);
    return null;
  });
  // Nothing is drawn but null, so neither the page nor the row's place needs anything of an element.
  vi.stubGlobal("document", {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const place = {} as Element;
  for (const number of [1, 1, 2, 2, 1]) render(h(Row, { number }), place);
  assert.deepStrictEqual(drawn, [1, 2, 1]);
});
