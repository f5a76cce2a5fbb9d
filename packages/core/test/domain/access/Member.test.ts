import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { accountNameOf, readEmail } from "../../../src/domain/access/Member.ts";
import { NAME_CHARS_MAX } from "../../../src/domain/text/NameText.ts";

describe("e-mail addresses", () => {
  it("have no characters that could not be stored, from an issuer either", () => {
    for (const odd of ["a\0@example.com", "a@exam\0ple.com", "a\ud800@example.com", "a\u0007@example.com"])
      assert.isNull(readEmail(odd));
  });

  it("differ in no more than the case of ASCII letters", () => {
    assert.strictEqual(readEmail(" Ada@Example.COM "), "ada@example.com");
    assert.strictEqual(
      readEmail("\u212aate@example.com"),
      "\u212aate@example.com",
      "the Kelvin sign is no k"
    );
    const others = [
      "\u212aate@example.com",
      "kate@example.com\u200b",
      "k\u0430te@example.com",
      "\uff4bate@example.com",
      "kate@example\uff0ecom",
      "ka\u017fe@example.com",
      "ka\u1e9ee@example.com",
      "\u0130van@example.com",
      "\u0131van@example.com"
    ];
    for (const [index, other] of others.entries()) {
      for (const plain of ["kate@example.com", "kase@example.com", "ivan@example.com"]) {
        assert.notStrictEqual(readEmail(other), plain, `${index}`);
      }
    }
  });

  const character = Schema.Literals([
    "k",
    "K",
    "\u212a",
    "s",
    "S",
    "\u017f",
    "i",
    "I",
    "\u0130",
    "\u0131",
    "å",
    "Å"
  ]);
  const name = Schema.NonEmptyArray(character).check(Schema.isMaxLength(3));

  it.prop(
    "are equal only if they are the same text but for the case of ASCII letters",
    { one: name, other: name },
    ({ one, other }) => {
      const [first, second] = [one, other].map((parts) => readEmail(`${parts.join("")}@example.com`));
      const [inAscii, otherInAscii] = [one, other].map((parts) =>
        parts.map((each) => (/^[A-Z]$/.test(each) ? each.toLowerCase() : each)).join("")
      );
      assert.isNotNull(first);
      assert.strictEqual(first === second, inAscii === otherInAscii);
    }
  );
});

it("an account that a person opens has their name, without what could not be stored or shown in a list", () => {
  const ada = { issuer: "https://login.example", subject: "7", email: "ada@example.com", name: "Ada" };
  assert.strictEqual(accountNameOf(ada), "Ada");
  assert.strictEqual(accountNameOf({ ...ada, name: "A\0da\ud800" }), "Ada\ufffd");
  assert.strictEqual(
    accountNameOf({ ...ada, name: "\u{1f35e}".repeat(9_999) }),
    "\u{1f35e}".repeat(NAME_CHARS_MAX)
  );
  assert.strictEqual(accountNameOf({ ...ada, name: null }), "ada@example.com");
  assert.strictEqual(accountNameOf({ ...ada, name: null, email: null }), "7");
});
