import { assert, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { resultLinkIn, resultLinkUrl, signedQueryOf } from "../../../src/http/authentication/resultUrls.ts";

/** URLs have no other. */
const Text = Schema.String.check(Schema.isPattern(/^\P{Cs}*$/u));
const Id = Schema.NullOr(Schema.Literals(["id_1", "id_2"]));
const Parameters = Schema.Record(Schema.Literals(["schemaId", "q", "format", "batchId"]), Text);

it.prop(
  "a link has all that it was signed with: who made it, and the parameters in whatever order they come",
  { parameters: Parameters, apiKeyId: Id, memberId: Id, signOuts: Schema.NullOr(Schema.Literals([0, 12])) },
  ({ parameters, ...maker }) => {
    const signed = { accountId: "acc_1", expiresAtSeconds: 1_800_000_000, signature: "s-_", ...maker };
    const link = { ...signed, query: signedQueryOf(parameters) };
    const url = new URL(resultLinkUrl(link, "https://host.example/base"));
    assert.strictEqual(url.pathname, "/base/v1/results");
    assert.deepStrictEqual(resultLinkIn(url.pathname + url.search), link);
    const turned = new URLSearchParams([...url.searchParams].toReversed());
    assert.deepStrictEqual(resultLinkIn(`/v1/results?${turned}`), link);
  }
);
