// @module-tag long
import { signWebhook } from "@winnow/client/webhooks";
import { afterEach, assert, describe, it, vi } from "vitest";
import { POST } from "../webhooks/next-route.ts";
import { addressOf, startExample, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

const FAILED = JSON.stringify({
  event: "extraction.failed",
  data: { id: "ext_1", status: "failed", error: "Zoë’s video is private." }
});

interface Delivery {
  readonly body?: string;
  readonly signedBody?: string;
  readonly timestamp?: number;
  readonly unsigned?: boolean;
}

const requestFor = async (url: string, { body = FAILED, ...how }: Delivery): Promise<Request> => {
  const payload = how.signedBody ?? body;
  const signature = await signWebhook({
    payload,
    secret: SECRET,
    ...(how.timestamp === undefined ? {} : { timestamp: how.timestamp })
  });
  const headers = { "content-type": "application/json", ...(how.unsigned === true ? {} : signature) };
  return new Request(url, { method: "POST", headers, body });
};

/** Every receiver must respond to these in the same way. */
const DELIVERIES: ReadonlyArray<readonly [string, Delivery, number]> = [
  ["a signed event", {}, 204],
  ["an event that it does not know", { body: JSON.stringify({ event: "new.one", data: {} }) }, 204],
  ["another body than was signed", { signedBody: `${FAILED} ` }, 400],
  ["a signature of ten minutes ago", { timestamp: Date.now() - 600_000 }, 400],
  ["no signature", { unsigned: true }, 400]
];

describe.each(["node-http.ts", "express.ts", "hono.ts"])("webhooks/%s", (file) => {
  it("accepts signed deliveries, refuses everything else, and prints what it receives", async () => {
    const env = { WINNOW_WEBHOOK_SECRET: SECRET, PORT: "0" };
    await using program = startExample(`webhooks/${file}`, [], env);
    const url = `${await addressOf(program)}/hook`;
    for (const [what, delivery, status] of DELIVERIES) {
      const response = await fetch(await requestFor(url, delivery));
      assert.strictEqual(response.status, status, what);
    }
    await program.printed(/ext_1 failed: Zoë’s video is private\./u);
  });
});

describe("webhooks/next-route.ts", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("answers like the others", async () => {
    vi.stubEnv("WINNOW_WEBHOOK_SECRET", SECRET);
    const log = vi.spyOn(console, "log").mockReturnValue();
    for (const [what, delivery, status] of DELIVERIES) {
      const response = await POST(await requestFor("http://site.example/hooks/winnow", delivery));
      assert.strictEqual(response.status, status, what);
    }
    assert.deepStrictEqual(log.mock.calls, [["ext_1 failed: Zoë’s video is private."]]);
  });
});
