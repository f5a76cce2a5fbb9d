import { assert, describe, it } from "@effect/vitest";
import * as Arbitrary from "effect/Arbitrary";
import { RunRequest } from "../../../src/domain/request/RunRequest.ts";
import { joinedRequest, storedBytes, storedRequests } from "../../../src/domain/run/StoredRequests.ts";
import { sampleRequest } from "@winnow/testing/samples/samples";
import { intBetween } from "../Arbitraries.ts";

const LARGE = "p".repeat(5_000);

const Requests = Arbitrary.array(Arbitrary.schema(RunRequest), { minLength: 1, maxLength: 4 });

const again = (request: RunRequest): RunRequest => JSON.parse(JSON.stringify(request));

describe("requests of one batch", () => {
  it.prop(
    "are the same after they were stored, whatever they share",
    { requests: Requests, copies: intBetween(1, 3) },
    ({ requests, copies }) => {
      const all = requests
        .map((request) => ({ ...request, prompt: LARGE }))
        .flatMap((request) =>
          Array.from({ length: copies }, (_, index) => ({ ...request, url: `${request.url}${index}` }))
        );
      const stored = storedRequests(all);
      const joined = stored.map(({ json, shared }) =>
        shared === null ? JSON.parse(json) : joinedRequest(JSON.parse(json), JSON.parse(shared.json))
      );
      assert.deepStrictEqual(joined, all.map(again));
    }
  );

  it("count what they share once, and what only one of them has with it", () => {
    const schema = { type: "object", description: LARGE };
    const items = Array.from({ length: 100 }, (_, index) =>
      sampleRequest({ url: `https://example.com/${index}`, mode: "ai", schema, prompt: LARGE })
    );
    const ofOne = storedBytes(storedRequests(items.slice(0, 1)));
    assert.isAbove(ofOne, 2 * LARGE.length);
    assert.isBelow(storedBytes(storedRequests(items)), 4 * ofOne);
    const apart = items.map((item, index) => ({ ...item, prompt: `${LARGE}${index}` }));
    assert.isAbove(storedBytes(storedRequests(apart)), 90 * ofOne);
    // Equal schemas in objects of their own are shared too.
    const equal = items.map((item) => ({ ...item, schema: { ...schema } }));
    assert.strictEqual(storedBytes(storedRequests(equal)), storedBytes(storedRequests(items)));
  });
});
