import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import * as Schema from "effect/Schema";
import { API_KEY_RANDOM_BYTES, apiKeyFrom, hashApiKey, isApiKey } from "../../../src/domain/access/ApiKey.ts";

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }));
const Random = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Byte), {
    minLength: API_KEY_RANDOM_BYTES,
    maxLength: API_KEY_RANDOM_BYTES
  }),
  // Every second byte is halved, so that enough of them are below 248.
  (bytes) => Uint8Array.from(bytes, (byte, index) => (index % 2 === 0 ? byte >> 1 : byte))
);

const sample = apiKeyFrom(Uint8Array.from({ length: API_KEY_RANDOM_BYTES }, (_, index) => index));

describe("an API key", () => {
  it("has the prefix, 40 random characters and a checksum of 6", () => {
    assert.match(sample, /^wnw_[0-9A-Za-z]{46}$/u);
    assert.isTrue(isApiKey(sample));
  });

  it("is not created from too few random bytes", () => {
    assert.throws(() => apiKeyFrom(new Uint8Array(39)), RangeError);
    assert.throws(() => apiKeyFrom(new Uint8Array(200).fill(255)), RangeError);
  });

  it("is stored as a digest that does not contain it", () => {
    assert.match(hashApiKey(sample), /^[0-9a-f]{64}$/u);
    assert.notStrictEqual(hashApiKey(sample), hashApiKey(`${sample}x`));
  });

  it.prop("created from any random bytes passes its own check", { random: Random }, ({ random }) => {
    assert.isTrue(isApiKey(apiKeyFrom(random)));
  });

  it.prop(
    "with one changed character is rejected without asking the store",
    { at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: sample.length - 1 })) },
    ({ at }) => {
      const typo = sample.slice(0, at) + (sample[at] === "x" ? "y" : "x") + sample.slice(at + 1);
      assert.isFalse(isApiKey(typo));
    }
  );

  it.prop("is not accepted from arbitrary text", { text: Schema.String }, ({ text }) => {
    assert.isFalse(isApiKey(text));
    assert.isFalse(isApiKey(sample + text + " "));
  });
});
