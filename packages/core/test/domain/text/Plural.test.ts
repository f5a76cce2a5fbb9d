import { assert, it } from "@effect/vitest";
import { plural } from "../../../src/domain/text/Plural.ts";
import { queueFull } from "../../../src/domain/run/Submission.ts";
import { durationLimitMessage } from "../../../src/domain/source/SourceFacts.ts";

it("a limit of one is in the singular, any other in the plural", () => {
  assert.strictEqual(plural(0, "key"), "0 keys");
  assert.include(durationLimitMessage(60), "1 minute are");
  assert.include(durationLimitMessage(3_600), "60 minutes are");
  assert.include(durationLimitMessage(1), "1 second are");
  assert.include(queueFull(1).message, "1 extraction waiting");
});
