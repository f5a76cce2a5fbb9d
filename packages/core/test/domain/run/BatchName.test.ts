import { assert, describe, it } from "@effect/vitest";
import { derivedName } from "../../../src/domain/run/BatchName.ts";

const WITHOUT = { schema: null, schemaOrigin: null };
const origin = (id: string) => ({ schema: {}, schemaOrigin: { id, version: 1, prompt: null } });

describe("the name of a batch that was given none", () => {
  it.each([
    [
      ["https://www.a.example/1", "https://b.example/", "https://a.example/2"],
      [WITHOUT],
      "a.example and 1 more"
    ],
    [["https://a.example/"], [origin("winnow.predefined.recipe.v1")], "a.example: recipe"],
    [["https://a.example/"], [{ schema: { title: "Talk" }, schemaOrigin: null }], "a.example: Talk"],
    [["https://a.example/"], [{ schema: {}, schemaOrigin: null }], "a.example"],
    [["https://a.example/", "https://a.example/2"], [origin("sch_1"), WITHOUT], "a.example"],
    [["not a link"], [], "No links"]
  ] as const)("%# has its hosts and the schema of all", (urls, requests, name) =>
    assert.strictEqual(derivedName(urls, requests as never), name)
  );

  it("has at most 200 characters", () => {
    const requests = [{ schema: { title: "x".repeat(300) }, schemaOrigin: null }];
    assert.lengthOf(derivedName(["https://a.example/"], requests), 200);
  });
});
