import { assert, describe, it } from "@effect/vitest";
import { decodeCaptions } from "../../../src/sources/captions/readCaptions.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The characters 0x80 to 0xff of a single-byte encoding. */
const upperHalf = (label: string): ReadonlyMap<string, number> =>
  new Map(
    Array.from({ length: 128 }, (_, at) => [
      new TextDecoder(label).decode(new Uint8Array([at + 128])),
      at + 128
    ])
  );

const encoded = (text: string, label: string): Uint8Array => {
  const upper = upperHalf(label);
  return Uint8Array.from([...text].map((letter) => upper.get(letter) ?? letter.charCodeAt(0)));
};

const wide = (text: string, littleEndian: boolean): Uint8Array => {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
  return bytes;
};

const captionsOf = (words: string): string =>
  words
    .split("\n")
    .map((line, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\n${line}\n`)
    .join("\n");

const RUSSIAN = captionsOf("Привет, как дела?\nЯ не знаю, что сказать.\nМы должны идти домой сейчас.");

describe("captions without a declared encoding", () => {
  const texts: Readonly<Record<string, string>> = {
    "windows-1251": RUSSIAN,
    "koi8-r": RUSSIAN,
    "windows-1250": captionsOf("Cześć, co robisz?\nNie wiem, co powiedzieć.\nMusimy już iść, będzie późno."),
    "windows-1252": captionsOf(
      "Wo bist du gewesen? Schön, dich zu sehen.\nIch weiß nicht, was ich sagen soll."
    ),
    "windows-1253": captionsOf("Γεια σου, τι κάνεις;\nΔεν ξέρω τι να πω.\nΠρέπει να πάμε σπίτι τώρα."),
    "windows-1254": captionsOf(
      "Nasılsın, ne yapıyorsun?\nNe söyleyeceğimi bilmiyorum.\nŞimdi eve gitmeliyiz."
    ),
    "windows-1255": captionsOf("שלום, מה אתה עושה?\nאני לא יודע מה לומר.\nאנחנו צריכים ללכת הביתה."),
    "windows-1256": captionsOf("مرحبا، ماذا تفعل؟\nلا أعرف ماذا أقول.\nيجب أن نذهب إلى البيت الآن.")
  };
  it.each(Object.entries(texts))("are recognised as %s", (label, text) => {
    assert.strictEqual(decodeCaptions(encoded(text, label), null), text);
    // Servers name this default for files of any encoding.
    assert.strictEqual(decodeCaptions(encoded(text, label), "text/vtt; charset=ISO-8859-1"), text);
  });

  it("are recognised as GB18030 and as Shift_JIS", () => {
    // 你好，你在干什么？我不知道该说什么。我们现在应该回家了。
    const chinese =
      "c4e3bac3a3acc4e3d4dab8c9cab2c3b4a3bf0aced2b2bbd6aab5c0b8c3cbb5cab2c3b4a1a30aced2c3c7cfd6d4dad3a6b8c3bbd8bcd2c1cba1a30a";
    assert.strictEqual(
      decodeCaptions(Buffer.from(chinese, "hex"), null),
      "你好，你在干什么？\n我不知道该说什么。\n我们现在应该回家了。\n"
    );
    const japanese = "82b182f182c982bf82cd814189bd82f082b582c482a282dc82b782a98142";
    assert.strictEqual(decodeCaptions(Buffer.from(japanese, "hex"), null), "こんにちは、何をしていますか。");
  });

  it("are recognised as UTF-16 with and without a byte order mark", () => {
    for (const littleEndian of [true, false]) {
      const text = captionsOf("Hello, Ада.\nHow are you?");
      assert.strictEqual(decodeCaptions(wide(text, littleEndian), null), text);
      assert.strictEqual(decodeCaptions(wide(`\ufeff${RUSSIAN}`, littleEndian), null), RUSSIAN);
    }
  });

  it("are UTF-8 if the bytes are valid, whatever the server says", () => {
    assert.strictEqual(
      decodeCaptions(bytesOf(`\ufeff${RUSSIAN}`), "text/plain; charset=windows-1252"),
      RUSSIAN
    );
  });
});

describe("the declared encoding of captions", () => {
  it("is that of the XML declaration, else that of the server", () => {
    const xml = `<?xml version="1.0" encoding="windows-1251"?><tt><body><p>Да</p></body></tt>`;
    assert.strictEqual(decodeCaptions(encoded(xml, "windows-1251"), null), xml);
    // Too short to be recognised.
    assert.strictEqual(decodeCaptions(encoded("Да", "windows-1251"), "text/vtt; charset=windows-1251"), "Да");
  });
});

describe("bytes that are no captions in a known encoding", () => {
  it("give nothing instead of rubbish", () => {
    assert.isNull(decodeCaptions(encoded("Да", "windows-1251"), null), "too short to be sure");
    assert.isNull(
      decodeCaptions(
        Uint8Array.from({ length: 4_096 }, (_, at) => (at * 151 + (at >> 3)) % 256),
        null
      )
    );
    assert.isNull(decodeCaptions(bytesOf("WEBVTT\n\n\0\0\0"), null));
    assert.isNull(decodeCaptions(bytesOf("WEBVTT\n\n00:01.000 --> 00:02.000\n\ufffd\ufffd\ufffd\n"), null));
    assert.isNull(decodeCaptions(new Uint8Array([0xff, 0xfe, 0x41]), null), "half a character");
  });
});
