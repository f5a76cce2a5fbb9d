import { assert, describe, it } from "@effect/vitest";
import { randomBytes } from "node:crypto";
import { isApiKey } from "../../../src/domain/access/ApiKey.ts";
import {
  isSessionToken,
  isSignInToken,
  sessionTokenFrom,
  signInTokenFrom
} from "../../../src/domain/access/Session.ts";
import { hashToken, isToken, TOKEN_RANDOM_BYTES, tokenFrom } from "../../../src/domain/access/Token.ts";

const random = () => randomBytes(TOKEN_RANDOM_BYTES);

describe("tokens", () => {
  it("carry a checksum that any mistyped character breaks", () => {
    const token = tokenFrom("t_", random());
    assert.isTrue(isToken("t_", token));
    for (let place = 0; place < token.length; place++) {
      const other = token[place] === "a" ? "b" : "a";
      const mistyped = token.slice(0, place) + other + token.slice(place + 1);
      assert.isFalse(isToken("t_", mistyped), `character ${place}`);
    }
    for (const wrong of ["", "t_", `${token}a`, token.slice(0, -1), ` ${token}`, `${token}\n`]) {
      assert.isFalse(isToken("t_", wrong));
    }
  });

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
