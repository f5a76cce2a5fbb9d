import { assert, describe, it } from "@effect/vitest";
import { page, paragraphs, readText } from "../../pages.ts";

const within = (middle: string): string =>
  page({ body: `<main><article><h1>Bread</h1>${paragraphs(4)}${middle}${paragraphs(3)}</article></main>` });

describe("text that stands between the paragraphs of an article", () => {
  it("is kept where it has no element of its own", async () => {
    const { plain: text } = await readText(
      page({
        body: `<h1>Notice</h1>${paragraphs(4)}<u><strong>Write to us with the <a href="/f">open form</a></strong></u><p>&nbsp;</p>${paragraphs(3)}`
      })
    );
    assert.include(text, "Write to us with the open form");
  });

  it("is kept with the prices in it", async () => {
    const card = (name: string, price: string) => `<a href="/shop"><h3>${name}</h3><p>${price}</p></a>`;
    const cards =
      card("Small loaf", "<span>$</span><span>8.60</span> <span>USD</span>") +
      card("Rye", "<span>£</span><span>9.10</span>");
    const { markdown, plain: text } = await readText(within(`<div class="grid">${cards}</div>`));
    assert.match(text, /\$8\.60 USD[^]*£9\.10/u);
    assert.match(markdown, /\$8\.60 USD[^]*£9\.10/u);
  });

  it("is kept with all its answers", async () => {
    const answer = (question: string, text: string) =>
      `<div class="accordion-item"><h3><button>${question}</button></h3><div class="accordion-body">${text}</div></div>`;
    const { plain: text } = await readText(
      within(
        answer("Who bakes?", "The owner bakes with an aunt.") +
          answer("When?", "At five.") +
          answer("With what?", "With salt from the coast.")
      )
    );
    assert.match(
      text,
      /Who bakes\?\nThe owner bakes with an aunt\.\nWhen\?\nAt five\.\nWith what\?\nWith salt/u
    );
  });

  it("is kept with the questions that open its answers", async () => {
    const answer = (id: string, question: string, text: string) =>
      `<a data-toggle="collapse" href="#${id}">${question}</a><div id="${id}" style="display:none">${text}</div>`;
    const { plain: text } = await readText(
      within(
        answer("a", "Who bakes the bread of the town?", "The owner bakes with an aunt from the ship.") +
          answer("b", "When does it open in winter?", "At six, and at seven on Sundays in the snow.")
      )
    );
    assert.match(
      text,
      /Who bakes the bread of the town\?\nThe owner[^]*When does it open in winter\?\nAt six/u
    );
  });
});
