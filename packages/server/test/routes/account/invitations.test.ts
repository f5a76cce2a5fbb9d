import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { choicePage, choicesOf, choose, chooseOnly } from "../../Invitations.ts";
import { signInAt } from "../../Issuer.ts";
import {
  accountOf,
  addMember,
  app,
  assertRefused,
  begin,
  comeBack,
  cookieNamed,
  invited,
  personCookie,
  signIn
} from "../../OidcBrowser.ts";
import { signedIn } from "../../SignedIn.ts";
import { TestApp } from "../../TestApp.ts";

layer(app(false), { excludeTestServices: true })("invitations", (it) => {
  it.effect("several accounts can invite one address with the same answer, and its owner chooses", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* invited("kate@example.com"), yield* invited("kate@example.com")];
      const arrived = yield* signIn("kate", "/app/keys");
      assert.strictEqual(arrived.status, 303);
      assert.strictEqual(arrived.headers.get("location"), "/sign-in/choice?to=%2Fapp%2Fkeys");
      assert.isUndefined(cookieNamed(arrived.headers, "winnow_session"), "nobody is signed in yet");
      const cookie = personCookie(arrived.headers);
      const page = yield* choicePage(cookie);
      assert.strictEqual(page.status, 200);
      assert.include(page.text, "kate@example.com");
      for (const { accountId } of [one, two]) assert.include(page.text, accountId);
      assert.deepStrictEqual(
        choicesOf(page.text),
        [one, two].flatMap(({ memberId }) => [`accept ${memberId}`, `decline ${memberId}`])
      );
      const joined = yield* choose(cookie, `accept ${two.memberId}`);
      assert.strictEqual(joined.status, 303);
      assert.strictEqual(joined.headers.get("location"), "/app/keys");
      assert.strictEqual(yield* accountOf(joined.headers), two.accountId);
      // To the other account, nothing has changed, and a further invitation is answered alike.
      const waiting = (yield* one.ask("/v1/members")).json.data;
      assert.deepInclude(waiting[0], { id: one.memberId, status: "invited", name: null });
      const known = yield* invited("kate@example.com");
      const unknown = yield* invited("nobody-knows@example.com");
      const shapes = yield* Effect.forEach([known, unknown], ({ ask, memberId }) =>
        Effect.map(ask("/v1/members"), ({ json, status }) => {
          const { id, email, createdAt, expiresAt, ...rest } = json.data[0];
          assert.strictEqual(id, memberId);
          assert.match(email, /@example\.com$/u);
          assert.strictEqual(Date.parse(expiresAt) - Date.parse(createdAt), 14 * 86_400_000);
          return { status, rest };
        })
      );
      assert.deepStrictEqual(shapes[0], shapes[1]);
      // A member keeps their account: later invitations do not move them.
      assert.strictEqual(yield* accountOf((yield* signIn("kate")).headers), two.accountId);
    })
  );

  it.effect("can be declined, and only by their person", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* invited("liam@example.com"), yield* invited("mia@example.com")];
      const cookie = personCookie((yield* signIn("liam")).headers);
      for (const verb of ["accept", "decline"]) {
        const answer = yield* choose(cookie, `${verb} ${two.memberId}`);
        assert.isUndefined(cookieNamed(answer.headers, "winnow_session"));
      }
      assert.lengthOf((yield* two.ask("/v1/members")).json.data, 1);
      const declined = yield* choose(cookie, `decline ${one.memberId}`);
      assert.strictEqual(declined.headers.get("location"), "/sign-in/choice?to=%2Fapp%2Fkeys");
      assert.deepStrictEqual((yield* one.ask("/v1/members")).json.data, []);
      assertRefused(yield* choicePage(cookie), "not_a_member");
      const late = yield* choose(cookie, `accept ${one.memberId}`);
      assert.strictEqual(late.status, 400);
      assert.strictEqual(late.json.error.details.reason, "invitation_gone");
    })
  );

  it.effect(
    "are chosen on a page of this server, by the person who signed in, and not with sign-up closed",
    () =>
      Effect.gen(function* () {
        const { memberId } = yield* invited("noah@example.com");
        const cookie = personCookie((yield* signIn("noah")).headers);
        assertRefused(
          yield* choose(cookie, `accept ${memberId}`, {
            "sec-fetch-site": "cross-site",
            origin: "https://evil.example"
          }),
          "cross_origin"
        );
        for (const none of ["", "winnow_person=x.y", `${cookie}x`]) {
          assertRefused(yield* choicePage(none), "choice_expired");
          assertRefused(yield* choose(none, `accept ${memberId}`), "choice_expired");
        }
        for (const choice of ["new", "continue", "accept", "accept mem_x", ""]) {
          const { status, headers } = yield* choose(cookie, choice);
          assert.strictEqual(status, 400);
          assert.isUndefined(cookieNamed(headers, "winnow_session"));
        }
      })
  );

  it.effect("a member's sign-in does not replace the session of another account without asking", () =>
    Effect.gen(function* () {
      const { account } = yield* TestApp;
      const { accountId } = yield* addMember("olga@example.com");
      const other = yield* signedIn((yield* account(0)).id);
      const { url, cookie } = yield* begin();
      const arrived = yield* comeBack(yield* signInAt(url, "olga"), `${cookie}; ${other.cookie}`);
      assert.isUndefined(cookieNamed(arrived.headers, "winnow_session"));
      const both = `${personCookie(arrived.headers)}; ${other.cookie}`;
      const switched = yield* chooseOnly(both, "continue");
      assert.strictEqual(yield* accountOf(switched.headers), accountId);
    })
  );
});

layer(app(true), { excludeTestServices: true })("invitations where sign-up is open", (it) => {
  it.effect("invited people choose between the invitation and an account of their own", () =>
    Effect.gen(function* () {
      const { accountId, memberId } = yield* invited("jane@example.com");
      const cookie = personCookie((yield* signIn("jane")).headers);
      const { text } = yield* choicePage(cookie);
      assert.deepStrictEqual(choicesOf(text), [`accept ${memberId}`, `decline ${memberId}`, "new"]);
      const own = yield* choose(cookie, "new");
      assert.strictEqual(own.status, 303);
      const id = yield* accountOf(own.headers);
      assert.match(id ?? "", /^acc_/u);
      assert.notStrictEqual(id, accountId);
      assert.strictEqual(yield* accountOf((yield* signIn("jane")).headers), id);
    })
  );
});
