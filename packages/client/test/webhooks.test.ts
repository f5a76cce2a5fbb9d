import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { assert, describe, expectTypeOf, it } from "vitest";
import type { CompleteResult, FailedResult } from "../src/index.ts";
import {
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type VerifyWebhookOptions
} from "../src/webhooks.ts";

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_SECRET = "whsec_Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";
const NOW = 1_795_248_000;
const BODY = '{"event":"extraction.completed","data":{"id":"ext_1"}}';

/** Computed independently of the code under test. */
const hex = (time: number | string, { secret = SECRET, body = BODY } = {}) =>
  createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");

const signed = (time: number | string, options = {}) => `t=${time},v1=${hex(time, options)}`;

const verify = (header: string | null, options: Partial<VerifyWebhookOptions> = {}) =>
  verifyWebhook({
    payload: BODY,
    headers: header === null ? {} : { "x-service-signature": header },
    secret: SECRET,
    now: new Date(NOW * 1000),
    ...options
  });

const reasonOf = async (verification: Promise<unknown>): Promise<string> => {
  try {
    await verification;
    return "accepted";
  } catch (error) {
    assert.instanceOf(error, WebhookVerificationError);
    assert.instanceOf(error, Error);
    assert.notInclude(error.message, SECRET);
    return error.reason;
  }
};

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly payload: string;
  readonly signature: string;
}

describe("the published vectors", () => {
  const page = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const block = /### Test vectors\n.*?```json\n(.*?)```/su.exec(page)?.[1] ?? "[]";
  const vectors = JSON.parse(block) as ReadonlyArray<Vector>;

  it("are there", () => assert.lengthOf(vectors, 3));

  it.each(vectors)("verify: $name", async ({ secret, payload, signature }) => {
    const event = await verify(signature, { secret, payload });
    assert.deepStrictEqual(event, JSON.parse(payload));
    assert.strictEqual(
      await reasonOf(verify(signature, { secret, payload: `${payload} ` })),
      "signature_mismatch"
    );
  });

  it("are what signing produces", async () => {
    const [first] = vectors;
    assert.isDefined(first);
    const { secret, payload, signature } = first;
    assert.deepStrictEqual(await signWebhook({ payload, secret, timestamp: NOW }), {
      "X-Service-Signature": signature
    });
  });
});

describe("a signature", () => {
  it.each<readonly [string, string | null, string]>([
    ["made now", signed(NOW), "accepted"],
    ["300 s old", signed(NOW - 300), "accepted"],
    ["301 s old", signed(NOW - 301), "timestamp_too_old"],
    ["300 s ahead", signed(NOW + 300), "accepted"],
    ["301 s ahead", signed(NOW + 301), "timestamp_in_future"],
    ["a day ahead", signed(NOW + 86_400), "timestamp_in_future"],
    ["with an old t before the right one", `t=${NOW - 9999},${signed(NOW)}`, "malformed_signature"],
    ["with the same t twice", `t=${NOW},${signed(NOW)}`, "malformed_signature"],
    ["of another version only", signed(NOW).replace("v1=", "v0="), "malformed_signature"],
    ["beside one of another version", `${signed(NOW)},v2=abc`, "accepted"],
    ["second of two", `t=${NOW},v1=${"0".repeat(64)},v1=${hex(NOW)}`, "accepted"],
    ["first of two", `${signed(NOW)},v1=${"0".repeat(64)}`, "accepted"],
    ["neither of two", `t=${NOW},v1=${"0".repeat(64)},v1=${"1".repeat(64)}`, "signature_mismatch"],
    ["in upper case", `t=${NOW},v1=${hex(NOW).toUpperCase()}`, "malformed_signature"],
    ["with a space", signed(NOW).replace(",", ", "), "malformed_signature"],
    ["cut short", `t=${NOW},v1=ab`, "malformed_signature"],
    ["too long", `${signed(NOW)}0`, "malformed_signature"],
    ["of no hex", `t=${NOW},v1=${"z".repeat(64)}`, "malformed_signature"],
    ["with an empty v1", `t=${NOW},v1=`, "malformed_signature"],
    ["with a fraction of a second", signed(`${NOW}.5`), "malformed_signature"],
    ["with a signed t", signed(`+${NOW}`), "malformed_signature"],
    ["with a t of text", signed("now"), "malformed_signature"],
    ["with an empty t", signed(""), "malformed_signature"],
    ["without t", `v1=${hex(NOW)}`, "malformed_signature"],
    ["that is empty", "", "malformed_signature"],
    ["of something else", "sha256=abc", "malformed_signature"],
    ["of another secret", signed(NOW, { secret: OTHER_SECRET }), "signature_mismatch"],
    ["of another body", signed(NOW, { body: "{}" }), "signature_mismatch"],
    ["of another time", signed(NOW).replace(String(NOW), String(NOW + 1)), "signature_mismatch"],
    ["that is not there", null, "unsigned"]
  ])("%s", async (_name, header, expected) => {
    assert.strictEqual(await reasonOf(verify(header)), expected);
  });

  it("of any of several secrets will do", async () => {
    assert.strictEqual(await reasonOf(verify(signed(NOW), { secret: [OTHER_SECRET, SECRET] })), "accepted");
    assert.strictEqual(await reasonOf(verify(signed(NOW), { secret: [OTHER_SECRET] })), "signature_mismatch");
  });

  it("is checked without the white space around a secret, and says what a wrong one looks like", async () => {
    for (const secret of [` ${SECRET}\n`, [OTHER_SECRET, `${SECRET}\r\n`]])
      assert.strictEqual(await reasonOf(verify(signed(NOW), { secret })), "accepted");
    assert.strictEqual(await reasonOf(verify(signed(NOW), { secret: " \n" })), "invalid_options");
    for (const [secret, told] of [
      [OTHER_SECRET, "belongs to another endpoint"],
      [`"${SECRET}"`, "without quotes"],
      ["whe_01hzx3", "whsec_"]
    ] as const) {
      const error = await verify(signed(NOW), { secret }).catch((cause: Error) => cause);
      assert.include((error as Error).message, told);
    }
  });

  it("names a body in base64, and only such a body", async () => {
    const base64 = Buffer.from(BODY).toString("base64");
    const url = Buffer.from(BODY).toString("base64url");
    for (const payload of [base64, `${base64}\n`, Buffer.from(base64), url]) {
      const error = await verify(signed(NOW), { payload }).catch((cause: Error) => cause);
      assert.include((error as Error).message, "Decode it first");
      assert.strictEqual(await reasonOf(verify(signed(NOW), { payload })), "payload_not_raw");
    }
    for (const payload of [`${BODY} `, "{}", "text", "aaaa", Buffer.from("[1]").toString("base64")])
      assert.strictEqual(await reasonOf(verify(signed(NOW), { payload })), "signature_mismatch");
  });

  it("is needed unless unsigned ones are allowed, and has to be right even then", async () => {
    assert.strictEqual(await reasonOf(verify(null, { allowUnsigned: true, secret: undefined })), "accepted");
    const wrong = signed(NOW, { secret: OTHER_SECRET });
    assert.strictEqual(await reasonOf(verify(wrong, { allowUnsigned: true })), "signature_mismatch");
    const unknown = verify(signed(NOW), { allowUnsigned: true, secret: undefined });
    assert.strictEqual(await reasonOf(unknown), "invalid_options");
  });

  it("is never checked with an empty or missing secret", async () => {
    for (const secret of ["", [], [SECRET, ""], undefined]) {
      const empty = signed(NOW, { secret: "" });
      assert.strictEqual(await reasonOf(verify(empty, { secret })), "invalid_options");
    }
  });
});

describe("the tolerance", () => {
  it("counts in both directions, and 0 is the very second", async () => {
    for (const [toleranceSeconds, time, expected] of [
      [10, NOW - 10, "accepted"],
      [10, NOW - 11, "timestamp_too_old"],
      [10, NOW + 11, "timestamp_in_future"],
      [0, NOW, "accepted"],
      [0, NOW - 1, "timestamp_too_old"],
      [0, NOW + 1, "timestamp_in_future"],
      [Number.NaN, NOW, "invalid_options"],
      [-1, NOW, "invalid_options"],
      [Infinity, NOW, "invalid_options"]
    ] as const) {
      assert.strictEqual(await reasonOf(verify(signed(time), { toleranceSeconds })), expected);
    }
  });

  it("is measured against the clock, or a given time", async () => {
    const real = Math.floor(Date.now() / 1000);
    assert.strictEqual(await reasonOf(verify(signed(real), { now: undefined })), "accepted");
    for (const now of [NOW, NOW * 1000, new Date(NOW * 1000), () => NOW * 1000]) {
      assert.strictEqual(await reasonOf(verify(signed(NOW), { now })), "accepted");
    }
    assert.strictEqual(await reasonOf(verify(signed(NOW), { now: new Date("never") })), "invalid_options");
  });
});

describe("the headers", () => {
  it("may have every form that servers use, in any case", async () => {
    const value = signed(NOW);
    const incoming: IncomingHttpHeaders = { "x-service-signature": value, host: "a", "set-cookie": ["b"] };
    const shapes: ReadonlyArray<VerifyWebhookOptions["headers"]> = [
      new Headers({ "X-Service-Signature": value }),
      { "X-SERVICE-SIGNATURE": value, other: undefined },
      incoming,
      { "X-Service-Signature": [value] },
      [["X-Service-Signature", value]],
      new Map([["X-Service-Signature", value]]),
      new Headers({ "X-Service-Signature": value }).entries()
    ];
    for (const headers of shapes) {
      assert.strictEqual(await reasonOf(verify(null, { headers })), "accepted");
    }
  });

  it("with two signatures are refused, not chosen from", async () => {
    const twice: ReadonlyArray<VerifyWebhookOptions["headers"]> = [
      new Headers([
        ["x-service-signature", signed(NOW)],
        ["x-service-signature", signed(NOW)]
      ]),
      { "x-service-signature": signed(NOW), "X-Service-Signature": signed(NOW) },
      { "x-service-signature": [signed(NOW), signed(NOW)] }
    ];
    for (const headers of twice) {
      assert.strictEqual(await reasonOf(verify(null, { headers })), "malformed_signature");
    }
  });

  it("are distinguished from a missing signature if absent", async () => {
    for (const headers of [undefined, null, "x"]) {
      const reason = await reasonOf(verify(null, { headers: headers as never }));
      assert.strictEqual(reason, "invalid_options");
    }
  });
});

describe("the payload", () => {
  it("may be text or bytes, also a part of a larger buffer", async () => {
    const bytes = new TextEncoder().encode(BODY);
    const within = Buffer.concat([Buffer.from("xx"), bytes, Buffer.from("yy")]).subarray(2, 2 + bytes.length);
    for (const payload of [BODY, bytes, bytes.buffer, Buffer.from(BODY), within]) {
      const event = await verify(signed(NOW), { payload });
      assert.deepStrictEqual(event, JSON.parse(BODY));
    }
  });

  it("is refused if it was parsed, with advice", async () => {
    for (const payload of [JSON.parse(BODY), null, undefined, 1, [1]]) {
      assert.strictEqual(await reasonOf(verify(signed(NOW), { payload })), "payload_not_raw");
    }
    const message = await verify(signed(NOW), { payload: JSON.parse(BODY) }).catch(String);
    assert.include(message as string, "express.raw");
    assert.include(message as string, "request.text()");
  });

  it("that is signed but no event is refused", async () => {
    const bodies = ["", "null", "[]", '"x"', "{}", '{"event":"test"}', '{"event":1,"data":{}}', "{"];
    for (const body of bodies) {
      const reason = await reasonOf(verify(signed(NOW, { body }), { payload: body }));
      assert.strictEqual(reason, "malformed_payload", body);
    }
    const noText = Buffer.from([0x7b, 0xff, 0x7d]);
    const { "X-Service-Signature": header } = await signWebhook({
      payload: noText,
      secret: SECRET,
      timestamp: NOW
    });
    assert.strictEqual(await reasonOf(verify(header, { payload: noText })), "malformed_payload");
  });

  it("of an unknown future event passes", async () => {
    const body = '{"event":"extraction.archived","data":{"id":"ext_1"}}';
    const event = await verify(signed(NOW, { body }), { payload: body });
    assert.strictEqual(event.event as string, "extraction.archived");
  });
});

describe("the event", () => {
  it("is distinguished by its name", async () => {
    const event = await verify(signed(NOW));
    if (event.event === "extraction.completed") expectTypeOf(event.data).toEqualTypeOf<CompleteResult>();
    if (event.event === "extraction.failed") expectTypeOf(event.data).toEqualTypeOf<FailedResult>();
    if (event.event === "test") expectTypeOf(event.data.endpointId).toEqualTypeOf<string>();
    assert.propertyVal(event.data, "id", "ext_1");
  });
});

describe("signing", () => {
  it("produces what verification accepts, now or at a given time, with one secret or several", async () => {
    const now = await signWebhook({ payload: BODY, secret: SECRET });
    assert.strictEqual(await reasonOf(verify(null, { headers: now, now: undefined })), "accepted");
    const secret = [SECRET, OTHER_SECRET];
    for (const timestamp of [NOW, NOW * 1000, new Date(NOW * 1000)]) {
      const headers = await signWebhook({ payload: BODY, secret, timestamp });
      assert.strictEqual(
        headers["X-Service-Signature"],
        `${signed(NOW)},v1=${hex(NOW, { secret: OTHER_SECRET })}`
      );
    }
  });
});

describe("the entry", () => {
  it("is at most 3 KB, minified and zipped", async () => {
    const entry = new URL("../src/webhooks.ts", import.meta.url).pathname;
    const built = await build({
      configFile: false,
      logLevel: "silent",
      build: { write: false, minify: true, lib: { entry, formats: ["es"] } }
    });
    const outputs = [built].flat().flatMap((each) => ("output" in each ? each.output : []));
    const chunks = outputs.filter((file) => file.type === "chunk");
    assert.lengthOf(chunks, 1);
    const code = chunks[0]?.code ?? "";
    assert.notMatch(code, /\bimport\b/u);
    assert.isBelow(gzipSync(code).length, 3 * 1024);
  });
});
