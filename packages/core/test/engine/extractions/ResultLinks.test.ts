/** Links to results: whatever made them can end them. */
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { layer, ResultLinks, type SignedResults } from "../../../src/engine/extractions/ResultLinks.ts";
import * as MemoryJobQueue from "../../../src/memory/MemoryJobQueue.ts";
import * as MemorySessions from "../../../src/memory/MemorySessions.ts";
import * as MemoryStore from "../../../src/memory/MemoryStore.ts";
import { Sessions } from "../../../src/ports/Sessions.ts";

const MEMBER = {
  id: "mem_1",
  accountId: "acc_1",
  email: "ada@example.com",
  issuer: "https://issuer.example",
  subject: "ada",
  createdAtMs: 0,
  invitedBy: null,
  expiresAtMs: null
};

const world = layer.pipe(
  Layer.provideMerge(Layer.merge(MemorySessions.layer, MemoryStore.layer)),
  Layer.provide(MemoryJobQueue.layer)
);

const linkOf = Effect.fnUntraced(function* (memberId: string | null) {
  const links = yield* ResultLinks;
  return yield* links.create({ accountId: "acc_1", apiKeyId: null, memberId, query: [["format", "csv"]] });
});
const stateOf = (link: SignedResults) => ResultLinks.use((links) => links.check(link));

describe("a link to results that no key made", () => {
  it.effect("ends when its account, and no other, is signed out everywhere", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const link = yield* linkOf(null);
      yield* sessions.revokeAll("acc_2");
      assert.strictEqual(yield* stateOf(link), "valid");
      yield* sessions.revokeAll("acc_1");
      assert.strictEqual(yield* stateOf(link), "revoked");
      assert.strictEqual(yield* stateOf(yield* linkOf(null)), "valid");
      assert.strictEqual(yield* stateOf({ ...link, signOuts: 1 }), "invalid");
      assert.strictEqual(yield* stateOf({ ...link, signOuts: null }), "invalid");
    }).pipe(Effect.provide(world))
  );

  it.effect("ends with the member who made it", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      yield* sessions.addMember(MEMBER);
      const link = yield* linkOf(MEMBER.id);
      assert.strictEqual(yield* stateOf(link), "valid");
      assert.strictEqual(yield* stateOf({ ...link, memberId: null }), "invalid");
      yield* sessions.removeMember("acc_1", MEMBER.id);
      assert.strictEqual(yield* stateOf(link), "revoked");
    }).pipe(Effect.provide(world))
  );
});
