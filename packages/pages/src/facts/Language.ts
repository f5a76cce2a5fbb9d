/** Language tags as pages write them: `en_US`, `EN-us`, `de, en`. Tests: Metadata.test.ts. */
import { parseLanguageTag } from "@winnow/core/domain/text/LanguageTag";

/** The first, in canonical form (BCP 47); null if it is none. */
export const languageTag = (written: string | null | undefined): string | null =>
  parseLanguageTag((written ?? "").trim().split(/[\s,;]/u, 1)[0] ?? "");
