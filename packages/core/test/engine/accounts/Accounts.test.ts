import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import { isApiKey } from "../../../src/domain/access/ApiKey.ts";
import { encodeCursor } from "../../../src/domain/request/Cursor.ts";
import { NotFound } from "../../../src/domain/request/Refusal.ts";
import { Accounts } from "../../../src/engine/accounts/Accounts.ts";
import { assertLaws, world } from "../World.ts";

describe("accounts", () => {
  it.effect("a new account has no credits and is read back", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const account = yield* accounts.create("Ada");
      assert.deepInclude(account, { name: "Ada", balance: 0, slotsUsed: 0 });
      assert.match(account.id, /^acc_[0-9a-f]{26}$/u);
      assert.deepStrictEqual(yield* accounts.get(account.id), account);
      assert.deepStrictEqual(yield* Effect.flip(accounts.get("acc_x")), NotFound.of("account"));
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
          ["top_up", 1],
          ["bonus", 1_000],
          ["top_up", 500]
        ]
      );
      assert.deepStrictEqual(yield* Effect.flip(accounts.topUp("acc_x", 1)), NotFound.of("account"));
    }).pipe(Effect.provide(world()))
  );

  it.effect("a top-up of zero, less or a fraction is a defect and changes nothing", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const { id } = yield* accounts.create("Ada");
      for (const credits of [0, -5, 1.5, Number.NaN, 1e15]) {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(accounts.topUp(id, credits))), String(credits));
      }
      assert.strictEqual((yield* accounts.get(id)).balance, 0);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a key authenticates its account until it is revoked", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const { id } = yield* accounts.create("Ada");
      const laptop = yield* accounts.createApiKey(id, "Laptop");
      const server = yield* accounts.createApiKey(id, "Server");
      assert.isTrue(isApiKey(laptop.key));
      assert.notStrictEqual(laptop.key, server.key);
      const holder = { id: laptop.id, name: "Laptop", accountId: id, dailyCredits: null, createdBy: null };
      assert.deepStrictEqual(yield* accounts.authenticate(laptop.key), Option.some(holder));
      yield* accounts.revokeApiKey(laptop.id);
      assert.deepStrictEqual(yield* accounts.authenticate(laptop.key), Option.none());
      assert.isTrue(Option.isSome(yield* accounts.authenticate(server.key)));
      assert.deepStrictEqual(yield* accounts.authenticate("wnw_nonsense"), Option.none());
      assert.strictEqual(
        (yield* Effect.flip(accounts.revokeApiKey("key_x"))).message,
        "There is no such API key."
      );
      assert.deepStrictEqual(yield* Effect.flip(accounts.createApiKey("acc_x", "x")), NotFound.of("account"));
    }).pipe(Effect.provide(world()))
  );

  it.effect("keys are listed by their first characters, and only their own account can revoke them", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const [ada, bob] = [yield* accounts.create("Ada"), yield* accounts.create("Bob")];
      const made = yield* accounts.createApiKey(ada.id, "Laptop");
      const [listed, ...more] = yield* accounts.listApiKeys(ada.id);
      assert.deepStrictEqual(more, []);
      assert.deepInclude(listed, { id: made.id, name: "Laptop", start: made.key.slice(0, 8) });
      const stranger = yield* Effect.flip(accounts.revokeOwnApiKey(bob.id, made.id));
      assert.deepStrictEqual(stranger, NotFound.of("API key"));
      assert.isTrue(Option.isSome(yield* accounts.authenticate(made.key)));
      yield* accounts.revokeOwnApiKey(ada.id, made.id);
      assert.deepStrictEqual(yield* accounts.authenticate(made.key), Option.none());
      assert.deepStrictEqual(yield* accounts.listApiKeys(ada.id), []);
    }).pipe(Effect.provide(world()))
  );

  it.effect("a forged cursor reveals nothing and breaks nothing", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts;
      const { id } = yield* accounts.create("Ada");
      yield* accounts.topUp(id, 1);
      const forged = encodeCursor(id, { createdAtMs: 0, id: "1; drop table" }, "ledger");
      assert.deepStrictEqual((yield* accounts.ledger(id, { limit: 3, cursor: forged })).rows, []);
    }).pipe(Effect.provide(world()))
  );
});
