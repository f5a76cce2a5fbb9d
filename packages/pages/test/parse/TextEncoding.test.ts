import { assert, describe, it } from "@effect/vitest";
import { decodedWholly, undeclaredEncoding } from "../../src/parse/TextEncoding.ts";

/**
 * Encodes text in an encoding that this platform can only decode, by finding the bytes that decode to each letter.
 */
const encoded = (text: string, label: string): Uint8Array => {
  const decoder = new TextDecoder(label);
  const known = new Map<string, ReadonlyArray<number>>();
  for (let first = 0; first < 256; first += 1) {
    known.set(decoder.decode(Uint8Array.of(first)), [first]);
    const isLead = first >= 0x81;
    for (let second = isLead ? 0x40 : 0xff; second < 0xff; second += 1) {
      const letter = decoder.decode(Uint8Array.of(first, second));
      if ([...letter].length === 1 && !known.has(letter)) known.set(letter, [first, second]);
    }
  }
  return Uint8Array.from(
    [...text].flatMap((letter) => known.get(letter) ?? assert.fail(`no ${letter} in ${label}`))
  );
};

const RUSSIAN = "Пекарня на углу рынка открывается в шесть часов утра и работает до полудня.\n";

describe("the encoding of undeclared plain text", () => {
  it.each([
    ["shift_jis", "角のパン屋は朝の六時に開きます。売り切れたら店を閉めます。\n"],
    ["euc-jp", "角のパン屋は朝の六時に開きます。売り切れたら店を閉めます。\n"],
    ["gb18030", "市场拐角的面包店早上六点开门，我们的面包是这个地方最好的。\n"],
    ["big5", "市場轉角的麵包店早上六點開門，我們的麵包是這個地方最好的。\n"],
    ["euc-kr", "시장 모퉁이의 빵집은 아침 여섯 시에 문을 열고 정오까지 빵을 팝니다.\n"],
    ["windows-1251", RUSSIAN],
    ["koi8-r", RUSSIAN],
    ["windows-1253", "Ο φούρνος στη γωνία της αγοράς ανοίγει στις έξι το πρωί.\n"],
    ["windows-1255", "המאפייה בפינת השוק נפתחת בשש בבוקר ומוכרת לחם עד הצהריים.\n"],
    ["windows-1256", "يفتح المخبز في زاوية السوق في السادسة صباحا ويبيع الخبز حتى الظهر.\n"],
    [
      "windows-1252",
      "La boulangerie près du marché ouvre à six heures, été comme hiver: c’est écrit à l’entrée.\n"
    ],
    [
      "windows-1250",
      "Piekarnia na rogu rynku otwiera się o szóstej rano; chleb jest świeży, bułki są ciepłe.\n"
    ],
    ["windows-1250", "A pékség reggel hatkor nyit a piac sarkán; a kenyér friss és meleg.\n"],
    ["windows-1254", "Pazarın köşesindeki fırın sabah altıda açılır; ekmek taze, çörekler sıcaktır.\n"],
    ["windows-1252", "Die Bäckerei öffnet früh, außer an Feiertagen; dafür schließt sie später.\n"]
  ])("is told by its letters: %s", (label, text) => {
    const bytes = encoded(text, label);
    const told = undeclaredEncoding(bytes);
    assert.isTrue(told.isSure);
    assert.strictEqual(decodedWholly(bytes, told.label), text);
  });

  it("is UTF-16 if every second byte is zero, and UTF-8 if the bytes are valid", () => {
    for (const [bytes, label] of [
      [Buffer.from("Bread and ovens", "utf16le"), "utf-16le"],
      [Buffer.from("Bread and ovens", "utf16le").swap16(), "utf-16be"],
      [Buffer.from(RUSSIAN), "utf-8"],
      [Buffer.from("Grüße\0"), "utf-8"]
    ] as const)
      assert.deepStrictEqual(undeclaredEncoding(bytes), { label, isSure: true });
  });

  it("is the likeliest, and not sure, in a few words or if another is as likely", () => {
    for (const [text, written, label] of [
      ["Спасибо за п\n", "koi8-r", "KOI8-R"],
      ["ra się o szóstej rano; chleb jest świeży, bułki są ciepłe\n", "windows-1250", "windows-1252"]
    ] as const)
      assert.deepStrictEqual(undeclaredEncoding(encoded(text, written)), { label, isSure: false });
  });

  it("is Western, and not sure, if there is too little of it to tell", () => {
    for (const text of ["café\n", "25 °C ± 1 µm\n", "Grüße aus Köln\n"])
      assert.deepStrictEqual(undeclaredEncoding(encoded(text, "windows-1252")), {
        label: "windows-1252",
        isSure: false
      });
  });
});
