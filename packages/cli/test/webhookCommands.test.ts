import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { ADMIN_TOKEN, TestApp } from "@winnow/server/test/TestApp";
import { winnow } from "@winnow/server/test/WinnowProgram";

const HOOK = "https://hooks.example.org/in";

const run = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { url } = yield* TestApp;
  return yield* winnow(["webhook", ...args, "--url", url], { WINNOW_ADMIN_TOKEN: ADMIN_TOKEN });
});

/** Ten program starts, on a busy machine. */
const STEPS_TIMEOUT_MS = 360_000;

/** Placeholder for the account's id. */
const OWN = "ACCOUNT";

/** Placeholder for a key of the account. */
const KEY = "KEY";

const WRONG: ReadonlyArray<
  readonly [args: readonly [string, ...Array<string>], words: string, code?: number]
> = [
  [["add", OWN, "http://hooks.example.org/"], "https"],
  [["list", "acc_none"], "There is no such account."],
  [["test", OWN, "whe_none"], "There is no such webhook endpoint."],
  [["redeliver", OWN, "whd_none"], "There is no such webhook delivery."],
  [["redeliver", OWN], "Pass a delivery id"],
  [["redeliver", OWN, "whd_none", "--since", "2020-01-01T00:00:00Z"], "Pass a delivery id"],
  [["redeliver", OWN, "--since", "yesterday"], "since"],
  [["listen", OWN, "--forward-to", "localhost:3000"], "--forward-to must be a URL"],
  [["listen", OWN, "--since", "yesterday"], "--since must be a date"],
  [["listen", "acc_none"], "There is no such account"],
  [["listen"], "pass --api-key", 3],
  [["list", "--api-key", "wnw_none"], "not valid", 3],
  [["add", "--api-key", KEY, "http://hooks.example.org/"], "https"],
  [["add", "acc_none", HOOK], "There is no such account."],
  [["listen", "--api-key", "wnw_none"], "not valid", 3],
  [["listen", "--api-key", KEY, "--since", "yesterday"], "--since must be a date"]
];

layer(TestApp.layer, { excludeTestServices: true })("winnow webhook", (it) => {
  it.effect(
    "registers, tests, lists, rotates, enables, resends and removes, as text",
    () =>
      Effect.gen(function* () {
        const { account, call } = yield* TestApp;
        const { id, key } = yield* account(0);
        const words = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
          const { code, stdout, stderr } = yield* run(...args);
          assert.strictEqual(code, 0, stderr);
          return stdout;
        });
        const added = yield* words("add", id, HOOK);
        assert.match(added, /^Registered as whe_\w+\.\nSecret \(shown only once\): whsec_\S+\n$/u);
        const endpoint = /whe_\w+/u.exec(added)?.[0] ?? "";
        assert.strictEqual(
          yield* words("add", id, HOOK),
          `${HOOK} is already registered as ${endpoint}; for a new secret: winnow webhook rotate ${id} ${endpoint}\n`
        );
        assert.match(
          yield* words("list", id),
          new RegExp(`^ID +URL +NOTICE\n${endpoint} +${HOOK} +-\n$`, "u")
        );
        const tested = yield* words("test", id, endpoint);
        assert.match(tested, /^whd_\w+: accepted with 204\n$/u);
        const delivery = /whd_\w+/u.exec(tested)?.[0] ?? "";
        assert.match(
          yield* words("deliveries", id),
          new RegExp(`^ID .* ATTEMPTS +HTTP .* URL\n${delivery}  .* delivered +1 +204  test +${HOOK}\n$`, "u")
        );
        assert.strictEqual(yield* words("deliveries", id, "--status", "failed"), "");
        assert.strictEqual(yield* words("redeliver", id, delivery), `${delivery} will be sent again.\n`);
        assert.strictEqual(
          yield* words("redeliver", id, "--since", "2020-01-01T00:00:00Z"),
          "0 deliveries will be sent again.\n"
        );
        assert.match(
          yield* words("rotate", id, endpoint),
          /^Secret .*: whsec_\S+\nDeliveries are signed with the old one too until /u
        );
        assert.match(yield* words("enable", id, endpoint), /^Enabled whe_/u);
        assert.strictEqual(yield* words("remove", id, endpoint), `Removed ${endpoint}.\n`);
        assert.lengthOf((yield* call("/v1/webhook-endpoints", { key })).json.data, 0);
      }),
    STEPS_TIMEOUT_MS
  );

  for (const [args, words, expectedCode = 1] of WRONG) {
    it.effect(`reports in one sentence what is wrong with: ${args.join(" ")}`, () =>
      Effect.gen(function* () {
        const { account } = yield* TestApp;
        const { id, key } = yield* account(0);
        const [command, ...rest] = args;
        const { code, stdout, stderr } = yield* run(
          command,
          ...rest.map((arg) => ({ [OWN]: id, [KEY]: key })[arg] ?? arg)
        );
        assert.deepStrictEqual([code, stdout], [expectedCode, ""]);
        assert.include(stderr, words);
      })
    );
  }
});
