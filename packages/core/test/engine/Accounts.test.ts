import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import { isApiKey } from "../../src/domain/ApiKey.ts";
import { NotFound } from "../../src/domain/Refusal.ts";
import { Accounts } from "../../src/engine/Accounts.ts";
import { assertLaws, world } from "./World.ts";

describe("accounts", () => {
  it.effect("a new account has no credits and is read back", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const account = yield* accounts.create("Ada");
      assert.deepInclude(account, { name: "Ada", balance: 0, slotsUsed: 0 });
      assert.match(account.id, /^acc_[0-9a-hjkmnp-tv-z]{26}$/u);
      assert.deepStrictEqual(yield* accounts.get(account.id), account);
      assert.deepStrictEqual(yield* Effect.flip(accounts.get("acc_x")), new NotFound({ what: "account" }));
    }).pipe(Effect.provide(world()))
  );

  it.effect("the first top-up adds the bonus as its own entry, and only the first", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const { id } = yield* accounts.create("Ada");
      assert.strictEqual(yield* accounts.topUp(id, 1), 1_001);
      assert.strictEqual(yield* accounts.topUp(id, 500), 1_501);
      const { ledger } = yield* assertLaws(id);
      assert.deepStrictEqual(
        ledger.map(({ kind, credits }) => [kind, credits]),
        [
          ["top_up", 500],
          ["bonus", 1_000],
          ["top_up", 1]
        ]
      );
      assert.deepStrictEqual(
        yield* Effect.flip(accounts.topUp("acc_x", 1)),
        new NotFound({ what: "account" })
      );
    }).pipe(Effect.provide(world()))
  );

  it.effect("a top-up of nothing, less or a fraction is a defect and moves nothing", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const { id } = yield* accounts.create("Ada");
      for (const credits of [0, -5, 1.5, Number.NaN, 1e15]) {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(accounts.topUp(id, credits))), String(credits));
      }
      assert.strictEqual((yield* accounts.get(id)).balance, 0);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a key speaks for its account until it is revoked", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const { id } = yield* accounts.create("Ada");
      const laptop = yield* accounts.createApiKey(id, "Laptop");
      const server = yield* accounts.createApiKey(id, "Server");
      assert.isTrue(isApiKey(laptop.key));
      assert.notStrictEqual(laptop.key, server.key);
      assert.deepStrictEqual(yield* accounts.authenticate(laptop.key), Option.some(id));
      yield* accounts.revokeApiKey(laptop.id);
      assert.deepStrictEqual(yield* accounts.authenticate(laptop.key), Option.none());
      assert.deepStrictEqual(yield* accounts.authenticate(server.key), Option.some(id));
      assert.deepStrictEqual(yield* accounts.authenticate("wnw_nonsense"), Option.none());
      assert.strictEqual((yield* Effect.flip(accounts.revokeApiKey("key_x"))).what, "API key");
      assert.strictEqual((yield* Effect.flip(accounts.createApiKey("acc_x", "x"))).what, "account");
    }).pipe(Effect.provide(world()))
  );
});
