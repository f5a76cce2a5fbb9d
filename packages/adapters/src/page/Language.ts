/** Language tags as pages write them (`en_US`, `EN-us`, `x/../y`), as canonical BCP 47. */

/** Null for what is not a language tag. */
export const languageTag = (written: string | null | undefined): string | null => {
  const tag =
    (written ?? "")
      .trim()
      .split(/[\s,;]/, 1)[0]
      ?.replaceAll("_", "-") ?? "";
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
};
