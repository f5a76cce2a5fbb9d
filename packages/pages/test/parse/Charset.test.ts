import { assert, describe, it } from "@effect/vitest";
import { decodePage } from "../../src/parse/TextEncoding.ts";

const html = (declaration: string, text: string): string =>
  `<html><head>${declaration}</head><p>${text}</p></html>`;
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const concat = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => new Uint8Array(Buffer.concat(parts));

describe("the charset of a page", () => {
  it("is UTF-8 if nothing is declared and the bytes are valid UTF-8", () => {
    assert.include(decodePage(Buffer.from(html("", "Grüße, 日本")), null), "Grüße, 日本");
  });

  it("is windows-1252 if nothing is declared and the bytes are not valid UTF-8", () => {
    assert.include(decodePage(latin1(html("", "Gr\xfc\xdfe \x80 5")), null), "Grüße € 5");
  });

  it("is the one declared by a meta element, even after the first kilobyte", () => {
    const shiftJis = Uint8Array.of(0x93, 0xfa, 0x96, 0x7b);
    const declared = latin1(`<!--${"x".repeat(1_500)}--><meta charset="Shift_JIS"><p>`);
    assert.include(decodePage(concat(declared, shiftJis), null), "日本");
  });

  it("is the one in the header, whatever the meta element declares", () => {
    const bytes = latin1(html(`<meta charset="utf-8">`, "caf\xe9"));
    assert.include(decodePage(bytes, `text/html; Charset="ISO-8859-1"`), "café");
  });

  it("is the one of the byte order mark, whatever the header says", () => {
    const utf16 = concat(Uint8Array.of(0xff, 0xfe), Buffer.from("<p>Grüße</p>", "utf16le"));
    assert.strictEqual(decodePage(utf16, "text/html; charset=utf-8"), "<p>Grüße</p>");
    const utf8 = concat(Uint8Array.of(0xef, 0xbb, 0xbf), Buffer.from("<p>Grüße</p>"));
    assert.strictEqual(decodePage(utf8, "text/html; charset=iso-8859-1"), "<p>Grüße</p>");
  });

  it("falls back if a label is unknown", () => {
    assert.include(decodePage(Buffer.from(html("", "Grüße")), "text/html; charset=klingon"), "Grüße");
    assert.include(decodePage(Buffer.from(html(`<meta charset="x-user-defined">`, "plain")), null), "plain");
  });

  it("declared as UTF-8 over other bytes loses only those bytes", () => {
    const bytes = latin1(html(`<meta charset="utf-8">`, "caf\xe9 bar"));
    assert.include(decodePage(bytes, null), "caf\ufffd bar");
  });
});
