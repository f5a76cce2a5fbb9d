import { assert, it } from "@effect/vitest";
import * as fc from "fast-check";
import { isTimeSupported } from "@winnow/core/domain/evidence/StatedValues";
import { daysIn } from "@winnow/core/domain/text/WrittenDays";
import { writtenDate } from "@winnow/pages/facts/PageDate";
import { coerced } from "../../src/model/answer/Coercions.ts";
import { project } from "../../src/model/schema/Projection.ts";
import { uploadDate } from "../../src/sources/metadata/facts.ts";

const LANGUAGES =
  "en de fr es it pt nl sv da nb fi pl cs sk sl hr sr hu ro bg ru uk el tr lt lv et ca id ms vi ar he fa hi th ja ko zh".split(
    " "
  );

const formats = new Map<string, Intl.DateTimeFormat>();

const inLanguage = (day: Date, language: string, dateStyle: "long" | "medium"): string => {
  const key = `${language} ${dateStyle}`;
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(`${language}-u-ca-gregory`, { dateStyle, timeZone: "UTC" });
  formats.set(key, format);
  return format.format(day);
};

const DAY = project({ type: "string", format: "date" });

const answered = (text: string): unknown => coerced(DAY, text).value;

const day = fc.date({
  min: new Date("1900-01-01T00:00:00Z"),
  max: new Date("2099-12-31T00:00:00Z"),
  noInvalidDate: true
});

it("a day in any known language is the same in an answer, on a page, from a platform and as evidence", () => {
  fc.assert(
    fc.property(
      day,
      fc.constantFrom(...LANGUAGES),
      fc.constantFrom("long" as const, "medium" as const),
      (date, language, style) => {
        const iso = date.toISOString().slice(0, 10);
        const text = inLanguage(date, language, style);
        const [found, ...others] = daysIn(text);
        if (found === undefined || others.length > 0) assert.fail(text);
        // "listopada" is October in Croatian and November in Polish; digits may be two days.
        const isKnown = !found.isAmbiguous;
        assert.strictEqual(answered(text), isKnown ? iso : text);
        assert.strictEqual(writtenDate(text)?.value ?? null, isKnown ? iso : null, text);
        assert.strictEqual(uploadDate(text), isKnown ? iso.replaceAll("-", "") : null, text);
        assert.isTrue(isTimeSupported(iso, text), text);
      }
    ),
    { numRuns: 1_000 }
  );
});
