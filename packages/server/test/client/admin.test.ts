/** The operator's client against the real service. */
import { assert, layer } from "@effect/vitest";
import { ApiError, InvalidRequestError, NotFoundError, UnauthorizedError, Winnow } from "@winnow/client";
import { AdminClient } from "@winnow/client/admin";
import * as Effect from "effect/Effect";
import { ADMIN_TOKEN, ARTICLE, TestApp } from "../TestApp.ts";

const rejection = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error
  );

/** A test in promises, with the app's URL and an operator's client of it. */
const withAdmin = (test: (admin: AdminClient, baseUrl: string) => Promise<void>) =>
  Effect.gen(function* () {
    const { url } = yield* TestApp;
    yield* Effect.promise(() => test(new AdminClient({ token: ADMIN_TOKEN, baseUrl: url }), url));
  });

layer(TestApp.layer, { excludeTestServices: true })("the operator's client", (it) => {
  it.effect("creates accounts, changes and finds them", () =>
    withAdmin(async (admin) => {
      const made = await admin.accounts.create({ name: "Newsroom of 1851" });
      assert.strictEqual(made.balance, 0);
      const changed = await admin.accounts.update(made.id, { name: "Newsroom", limits: { runningMax: 7 } });
      assert.strictEqual(changed.limits.runningMax, 7);
      assert.deepStrictEqual(await admin.accounts.get(made.id), changed);
      await admin.accounts.create({ name: "Press" });
      const [newest] = (await admin.accounts.page({ limit: 1 })).data;
      assert.strictEqual(newest?.name, "Press");
      const found: Array<string> = [];
      for await (const { id } of admin.accounts.list({ q: "Newsroom", limit: 1 })) found.push(id);
      assert.deepStrictEqual(found, [made.id]);
      assert.instanceOf(await rejection(admin.accounts.get("acc_none")), NotFoundError);
      assert.instanceOf(await rejection(admin.accounts.create({ name: " " })), InvalidRequestError);
    })
  );

  it.effect("adds credits once per idempotency key", () =>
    withAdmin(async (admin) => {
      const { id } = await admin.accounts.create({ name: "Credits" });
      for (const _ of [1, 2]) {
        const topUp = admin.topUps.create(id, { credits: 500 }, { idempotencyKey: "once" });
        assert.strictEqual((await topUp).balance, 1_500);
      }
      assert.strictEqual((await admin.topUps.create(id, { credits: 500 })).balance, 2_000);
    })
  );

  it.effect("reads the ways to sources, and by which one a run was served", () =>
    withAdmin(async (admin) => {
      assert.deepStrictEqual(await admin.routes(), { routes: [] });
      const { id } = await admin.accounts.create({ name: "Routes" });
      await admin.topUps.create(id, { credits: 500 });
      const run = await admin.client(id).submit({ url: ARTICLE });
      const told = await admin.accounts.runRoute(id, run.id);
      assert.deepStrictEqual([told.id, told.route], [run.id, null]);
      assert.instanceOf(await rejection(admin.accounts.runRoute("acc_none", run.id)), NotFoundError);
    })
  );

  it.effect("creates, lists and revokes keys, and creates sign-in links", () =>
    withAdmin(async (admin, baseUrl) => {
      const { id } = await admin.accounts.create({ name: "Keys" });
      const { id: keyId, key: apiKey } = await admin.apiKeys.create(id, { name: "Nightly import" });
      const { data } = await admin.apiKeys.list(id);
      assert.deepStrictEqual(
        data.map((each) => [each.id, each.name]),
        [[keyId, "Nightly import"]]
      );
      const own = new Winnow({ apiKey, baseUrl });
      assert.strictEqual((await own.account()).id, id);
      await admin.apiKeys.revoke(keyId);
      assert.instanceOf(await rejection(own.account()), UnauthorizedError);
      assert.include((await admin.signInLinks.create(id)).url, "/sign-in?token=");
      assert.isUndefined(await admin.accounts.signOutEverywhere(id));
    })
  );

  it.effect("acts for an account with every method of the account's own client", () =>
    withAdmin(async (admin) => {
      const { id } = await admin.accounts.create({ name: "Acted for" });
      await admin.topUps.create(id, { credits: 9_000 });
      const winnow = admin.client(id);
      assert.strictEqual((await winnow.account()).id, id);
      const run = await winnow.submit({ url: ARTICLE });
      assert.strictEqual((await winnow.extractions.wait(run.id)).status, "complete");
      const other = admin.client((await admin.accounts.create({ name: "Other" })).id);
      assert.instanceOf(await rejection(other.extractions.get(run.id)), NotFoundError);
      const { details } = (await rejection(admin.client("acc_none").account())) as ApiError;
      assert.deepStrictEqual(details, { reason: "unknown_account", param: "x-winnow-account" });
    })
  );

  it.effect("reads health and metrics, and is refused with another token", () =>
    withAdmin(async (admin, baseUrl) => {
      assert.deepStrictEqual(await admin.health(), { status: "ok" });
      assert.match(await admin.metrics(), /^# HELP /u);
      const stranger = new AdminClient({ token: "guess", baseUrl });
      assert.instanceOf(await rejection(stranger.accounts.page()), UnauthorizedError);
    })
  );
});
