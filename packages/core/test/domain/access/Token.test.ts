import { assert, describe, it } from "@effect/vitest";
import { randomBytes } from "node:crypto";
import { isApiKey } from "../../../src/domain/access/ApiKey.ts";
import {
  isSessionToken,
  isSignInToken,
  sessionTokenFrom,
  signInTokenFrom
} from "../../../src/domain/access/Session.ts";
import { hashToken, TOKEN_RANDOM_BYTES } from "../../../src/domain/access/Token.ts";

const random = () => randomBytes(TOKEN_RANDOM_BYTES);

describe("tokens", () => {
  it("of one kind are not accepted as another", () => {
    const [link, session] = [signInTokenFrom(random()), sessionTokenFrom(random())];
    assert.deepStrictEqual([isSignInToken(link), isSessionToken(link), isApiKey(link)], [true, false, false]);
    assert.deepStrictEqual(
      [isSignInToken(session), isSessionToken(session), isApiKey(session)],
      [false, true, false]
    );
  });

  it("are safe in a cookie and in a URL without escaping", () => {
    for (const token of [signInTokenFrom(random()), sessionTokenFrom(random())]) {
      assert.match(token, /^\w{50}$/u);
      assert.strictEqual(encodeURIComponent(token), token);
      assert.match(hashToken(token), /^[0-9a-f]{64}$/u);
    }
  });
});
