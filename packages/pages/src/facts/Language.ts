/** Converts language tags as pages write them (`en_US`, `EN-us`, `x/../y`) to canonical BCP 47. */

/** Names of languages, such as `english`, are well-formed tags of no language. */
const TAG = /^[a-z]{2,3}(?:-|$)/i;

/** Null if it is not a language tag. */
export const languageTag = (written: string | null | undefined): string | null => {
  const tag =
    (written ?? "")
      .trim()
      .split(/[\s,;]/, 1)[0]
      ?.replaceAll("_", "-") ?? "";
  if (!TAG.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
};
