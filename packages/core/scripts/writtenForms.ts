/**
 * Writes `packages/core/src/domain/text/generated/writtenForms.ts`: the names of months, units and powers of ten in the
 * most common languages of content, from the Unicode CLDR data of this Node. Generated once and committed, because
 * reading them from Intl takes each process a third of a second.
 *
 *   npm run node -- packages/core/scripts/writtenForms.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const LANGUAGES =
  "en de fr es it pt nl sv da nb fi pl cs sk sl hr sr hu ro bg ru uk el tr lt lv et ca id ms vi ar he fa hi th ja ko zh".split(
    " "
  );

const UNITS =
  "millisecond second minute hour day week month year gram kilogram millimeter centimeter meter kilometer milliliter liter byte kilobyte megabyte gigabyte percent".split(
    " "
  );

/** Plural forms differ; languages have up to six. */
const COUNTS = [0.5, 1, 2, 3, 5, 11, 21];

/** Romanian and Catalan join a preposition to some words. */
const wordOf = (text: string): string =>
  text
    .normalize("NFC")
    .trim()
    .toLowerCase()
    .replace(/\.$/u, "")
    .replace(/^(?:de |d['’])/u, "");

const sortedWords = (found: Iterable<string>): string =>
  [...new Set(found)]
    .filter((word) => /[\p{L}%٪]/u.test(word) && !/\p{N}/u.test(word))
    .toSorted()
    .join("|");

const partOf = (
  parts: ReadonlyArray<{ type: string; value: string }>,
  ...types: ReadonlyArray<string>
): string => wordOf(parts.find(({ type }) => types.includes(type))?.value ?? "");

const formsOfMonth = (month: number): string =>
  sortedWords(
    LANGUAGES.flatMap((language) =>
      (["long", "short"] as const).flatMap((length) =>
        ([undefined, "numeric"] as const).map((day) => {
          const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, {
            month: length,
            ...(day === undefined ? {} : { day }),
            timeZone: "UTC"
          });
          return partOf(format.formatToParts(Date.UTC(2024, month, 15)), "month");
        })
      )
    )
  );

const inLanguage = (language: string, unit: string): ReadonlyArray<string> =>
  (["long", "short", "narrow"] as const).flatMap((unitDisplay) => {
    const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay });
    return COUNTS.map((count) => partOf(format.formatToParts(count), "unit", "percentSign"));
  });

/** Single letters only of English, because those of other languages may be words elsewhere, such as "a". */
const formsOfUnit = (unit: string): string => {
  const english = inLanguage("en", unit);
  const isTelling = (form: string): boolean => !/^[a-z]$/u.test(form) || english.includes(form);
  return sortedWords(LANGUAGES.flatMap((language) => inLanguage(language, unit)).filter(isTelling));
};

const formsOfScale = (): ReadonlyMap<number, ReadonlyArray<string>> => {
  const forms = new Map<number, Array<string>>();
  for (const language of LANGUAGES) {
    for (const compactDisplay of ["long", "short"] as const) {
      const format = new Intl.NumberFormat(`${language}-u-nu-latn`, { notation: "compact", compactDisplay });
      for (let power = 3; power <= 12; power += 1) {
        for (const digit of [1, 2, 5]) {
          const parts = format.formatToParts(digit * 10 ** power);
          const number = Number(
            parts
              .filter(({ type }) => type === "integer")
              .map(({ value }) => value)
              .join("")
          );
          const scale = Math.round((digit * 10 ** power) / number);
          const word = partOf(parts, "compact");
          const isTelling = !/^[a-z]$/u.test(word) || language === "en";
          if (isTelling && word !== "" && Number.isFinite(scale))
            forms.set(scale, [...(forms.get(scale) ?? []), word]);
        }
      }
    }
  }
  return forms;
};

const rows = (entries: ReadonlyArray<readonly [name: string, forms: string]>): string =>
  entries.map(([name, forms]) => `  ${JSON.stringify(name)}: ${JSON.stringify(forms)}`).join(",\n");

const text = `// Written by packages/core/scripts/writtenForms.ts from the Unicode CLDR (licence Unicode-3.0) of Node ${process.versions.node}, ICU ${process.versions.icu ?? ""}.

/** By number, 1 for January; forms are in lower case, separated by "|". */
export const MONTH_FORMS: Readonly<Record<string, string>> = {
${rows(Array.from({ length: 12 }, (_, month) => [String(month + 1), formsOfMonth(month)] as const))}
};

export const UNIT_FORMS: Readonly<Record<string, string>> = {
${rows(UNITS.map((unit) => [unit, formsOfUnit(unit)] as const))}
};

/** By the factor by which the word multiplies a number. */
export const SCALE_FORMS: Readonly<Record<string, string>> = {
${rows(
  [...formsOfScale()]
    .toSorted(([one], [other]) => one - other)
    .map(([scale, forms]) => [String(scale), sortedWords(forms)] as const)
)}
};
`;

writeFileSync(join(import.meta.dirname, "../src/domain/text/generated/writtenForms.ts"), text);
