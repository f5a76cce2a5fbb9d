/** Names that people write for a country, language or currency code (ISO 3166, 639 and 4217). Pure. */

const LOCALES = ["en", "de", "fr", "es", "it", "pt"];

type CodeType = "region" | "language" | "currency";

const namesByType = new Map<CodeType, ReadonlyArray<Intl.DisplayNames>>();

/** Created when first needed. */
const namesIn = (type: CodeType): ReadonlyArray<Intl.DisplayNames> => {
  const known = namesByType.get(type);
  if (known !== undefined) return known;
  const names = LOCALES.map((locale) => new Intl.DisplayNames([locale], { type, fallback: "none" }));
  namesByType.set(type, names);
  return names;
};

const namesOf = (type: CodeType, code: string): ReadonlyArray<string> =>
  namesIn(type).flatMap((names) => names.of(code) ?? []);

/** The symbol, and the name without the country: "dollars" means US dollars unless the text says otherwise. */
const formsOfCurrency = (code: string): ReadonlyArray<string> => {
  const symbol = new Intl.NumberFormat("en", {
    style: "currency",
    currency: code,
    currencyDisplay: "narrowSymbol"
  })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value;
  const names = namesOf("currency", code);
  const nouns = names.flatMap((name) => name.split(" ").slice(-1));
  return names.length === 0 ? [] : [symbol ?? code, ...names, ...nouns, ...nouns.map((noun) => `${noun}s`)];
};

const namesByCode = new Map<string, ReadonlyArray<string>>();

const readNames = (value: string): ReadonlyArray<string> => {
  if (/^[A-Za-z]{2}$/u.test(value)) {
    return [...namesOf("region", value.toUpperCase()), ...namesOf("language", value.toLowerCase())];
  }
  return /^[A-Z]{3}$/u.test(value) ? formsOfCurrency(value) : [];
};

/** Empty for an invalid or unknown code. Cached, because a list may contain one code a thousand times. */
export const namesOfCode = (value: string): ReadonlyArray<string> => {
  const known = namesByCode.get(value);
  if (known !== undefined || value.length > 3) return known ?? [];
  const names = readNames(value);
  if (names.length > 0) namesByCode.set(value, names);
  return names;
};
