/** Sessions of the embedding program. */
import { assert, describe, it } from "vitest";
import { embedded, VIDEO } from "./embedded.ts";

const ORIGIN = "https://app.example";

/** Reads the embedding program's session cookie, which is an account's id in this test. */
const sessions = async (request: Request): Promise<string | null> =>
  /^user=(\w+)$/u.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;

const signedIn = async () => {
  const app = await embedded({ sessions, publicUrl: ORIGIN });
  const call = (path: string, init: RequestInit = {}, user = app.accountId) =>
    app.winnow.fetch(
      new Request(`${ORIGIN}${path}`, { ...init, headers: { cookie: `user=${user}`, ...init.headers } })
    );
  return { ...app, call };
};

describe("sessions", () => {
  it("let a browser open the files of its account, and no others", async () => {
    const { winnow, client, call } = await signedIn();
    const { id } = await client.extract({ url: VIDEO });
    const path = `/v1/extractions/${id}/files/video.mp4`;
    const response = await call(path, { headers: { range: "bytes=0-6" } });
    assert.strictEqual(response.status, 206);
    assert.strictEqual(await response.text(), "content");
    const other = await winnow.admin.accounts.create({ name: "Other" });
    assert.strictEqual((await call(path, {}, other.id)).status, 404);
    assert.strictEqual((await call(path, {}, "")).status, 401);
    assert.strictEqual((await call(path, {}, "acc_nobody")).status, 401);
    await winnow.close();
  });

  it("authorise what only a signed-in person may do, from pages of the same origin", async () => {
    const { winnow, call } = await signedIn();
    const make = (headers: Record<string, string>) =>
      call("/v1/api-keys", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ name: "Mine" })
      });
    assert.strictEqual((await make({ origin: ORIGIN })).status, 201);
    assert.strictEqual((await make({ origin: "https://evil.example" })).status, 401);
    assert.strictEqual((await make({})).status, 401);
    await winnow.close();
  });

  it("are ended by the embedding application", async () => {
    const { winnow, call } = await signedIn();
    const response = await call("/v1/session", { method: "DELETE", headers: { origin: ORIGIN } });
    assert.strictEqual(response.status, 400);
    assert.deepInclude((await response.json()) as any, {
      error: {
        code: "invalid_request",
        message: "You are signed in through the application that embeds this server; sign out there.",
        details: { reason: "own_sign_in" }
      }
    });
    await winnow.close();
  });

  it("that return no account are rejected, in JavaScript too", async () => {
    for (const nobody of [undefined, "", 7]) {
      await using app = await embedded({ sessions: () => nobody as never });
      const answer = await app.winnow.fetch(new Request(`${ORIGIN}/v1/account`));
      assert.strictEqual(answer.status, 401, String(nobody));
      assert.include(await answer.text(), "Send an API key");
    }
  });

  it("are not consulted if the request has a key, and reveal nothing when they fail", async () => {
    let asked = 0;
    const app = await embedded({
      sessions: () => {
        asked++;
        throw new Error("secret of the sign-in");
      }
    });
    const account = (headers: Record<string, string>) =>
      app.winnow.fetch(new Request(`${ORIGIN}/v1/account`, { headers }));
    assert.strictEqual((await account({ "x-api-key": app.key })).status, 200);
    assert.strictEqual(asked, 0);
    const failed = await account({});
    assert.strictEqual(failed.status, 500);
    assert.notInclude(await failed.text(), "secret");
    await app.winnow.close();
  });
});
