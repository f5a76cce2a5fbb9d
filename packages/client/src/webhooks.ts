/**
 * Verifies webhook deliveries, for receivers: `@winnow/client/webhooks`. Uses only Web Crypto, so that it runs
 * in every JavaScript runtime.
 */
import { hexOf } from "./core/idempotencyKey.ts";
import type { BatchSummary, FailedResult } from "./generated/types.ts";
import type { CompleteResult } from "./schema/results.ts";

export interface ExtractionCompletedEvent {
  readonly event: "extraction.completed";
  /** The body of `GET /v1/extractions/{id}/result` at the end of the extraction. */
  readonly data: CompleteResult;
}

export interface ExtractionFailedEvent {
  readonly event: "extraction.failed";
  /** Its credits have already been refunded. */
  readonly data: FailedResult;
}

export interface BatchCompletedEvent {
  readonly event: "batch.completed";
  /** A batch ends again after its failed items were retried. */
  readonly data: Pick<BatchSummary, "id" | "counts" | "creditsDebited" | "creditsRefunded">;
}

export interface TestEvent {
  readonly event: "test";
  readonly data: { readonly message: string; readonly endpointId: string; readonly sentAt: string };
}

/** Acknowledge unknown events: a later version of the service may send others. */
export type WebhookEvent = ExtractionCompletedEvent | ExtractionFailedEvent | BatchCompletedEvent | TestEvent;

/** Stable codes; the message is for people. */
export type WebhookVerificationReason =
  | "invalid_options"
  | "payload_not_raw"
  | "unsigned"
  | "malformed_signature"
  | "signature_mismatch"
  | "timestamp_too_old"
  | "timestamp_in_future"
  | "malformed_payload";

/** The delivery is not authentic: respond with 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type WebhookPayload = string | Uint8Array | ArrayBuffer;

/** Headers from fetch or node:http, a plain object, or entries; names are case-insensitive. */
export type WebhookHeaders =
  | Headers
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>;

/** A point in time; numbers are Unix milliseconds, or seconds if below 10^11. */
export type WebhookTime = Date | number;

export interface VerifyWebhookOptions {
  /** The raw body as received: neither parsed nor re-serialised. */
  readonly payload: WebhookPayload;
  readonly headers: WebhookHeaders;
  /** The endpoint's secret including `whsec_`; several during a rotation. */
  readonly secret?: string | ReadonlyArray<string> | undefined;
  /** Maximum difference between `t` and now, in either direction. Default 300; 0 requires the same second. */
  readonly toleranceSeconds?: number | undefined;
  /** Default: the current time. */
  readonly now?: WebhookTime | (() => WebhookTime) | undefined;
  /**
   * Accepts deliveries without a signature: those to a `webhookUrl` of an account that has no endpoint. Anyone
   * can forge such deliveries. If there is a signature, it must still be valid.
   */
  readonly allowUnsigned?: boolean | undefined;
}

export interface SignWebhookOptions {
  readonly payload: WebhookPayload;
  /** Signs with each of them. */
  readonly secret: string | ReadonlyArray<string>;
  /** Default: the current time. */
  readonly timestamp?: WebhookTime | undefined;
}

type Entry = readonly [string, unknown];

const SIGNATURE_HEADER = "x-service-signature";
const TOLERANCE_SECONDS_DEFAULT = 300;

/** Smaller numbers are seconds: 10^11 s is the year 5138, 10^11 ms is 1973. */
const SECONDS_BELOW = 1e11;

const failed = (reason: WebhookVerificationReason, message: string) =>
  new WebhookVerificationError(reason, message);

const bytesOf = (payload: unknown): Uint8Array<ArrayBuffer> => {
  if (typeof payload === "string") return new TextEncoder().encode(payload);
  // By its tag, since test runners have their own ArrayBuffer.
  if (Object.prototype.toString.call(payload) === "[object ArrayBuffer]") {
    return new Uint8Array(payload as ArrayBuffer);
  }
  if (ArrayBuffer.isView(payload)) {
    return new Uint8Array(payload.buffer as ArrayBuffer, payload.byteOffset, payload.byteLength);
  }
  throw failed(
    "payload_not_raw",
    `The payload must be the raw body, a string or bytes, but it is ` +
      `${payload === null ? "null" : typeof payload}: the signature covers the bytes that were sent. Express: ` +
      `express.raw({ type: "application/json" }) on this route, then request.body. Hono, Next.js and others ` +
      `with a Request: await request.text().`
  );
};

/** Without the white space that files and settings leave around them. */
const secretsOf = (secret: unknown): ReadonlyArray<string> => {
  const given: ReadonlyArray<unknown> = Array.isArray(secret) ? secret : [secret];
  const secrets = given.map((each) => (typeof each === "string" ? each.trim() : ""));
  if (secrets.length > 0 && !secrets.includes("")) return secrets;
  throw failed("invalid_options", "secret is missing or empty: pass the endpoint's whsec_… secret.");
};

const secondsOf = (time: WebhookTime): number => {
  const number = Number(time);
  return Math.floor(typeof time === "number" && number < SECONDS_BELOW ? number : number / 1_000);
};

/** Null if absent; repeated headers are joined, which makes reading them fail. */
const signatureHeader = (headers: unknown): string | null => {
  if (typeof headers !== "object" || headers === null) {
    throw failed("invalid_options", "headers is missing: pass the headers of the request.");
  }
  const entries = Symbol.iterator in headers ? (headers as Iterable<Entry>) : Object.entries(headers);
  const values: Array<unknown> = [];
  for (const [name, value] of entries) {
    if (String(name).toLowerCase() === SIGNATURE_HEADER) values.push(value ?? []);
  }
  const present = values.flat();
  return present.length === 0 ? null : present.join(",");
};

/** `t=<unix seconds>,v1=<64 hex>`, then further `v1` or future versions; nothing else. */
const readSignature = (header: string) => {
  const malformed = (what: string) =>
    failed("malformed_signature", `X-Service-Signature ${what}; it is t=<unix seconds>,v1=<hex>.`);
  const timestamps: Array<string> = [];
  const signatures: Array<string> = [];
  for (const item of header.split(",")) {
    const [, name, value = ""] = /^([a-z]+\d*)=(.*)$/u.exec(item) ?? [];
    if (name === undefined) throw malformed("cannot be read");
    if (name === "t") timestamps.push(value);
    if (name === "v1") signatures.push(value);
  }
  const [timestamp = ""] = timestamps;
  if (timestamps.length !== 1) throw malformed(`has ${timestamps.length} timestamps`);
  if (!/^\d{1,12}$/u.test(timestamp)) throw malformed("has a timestamp that is not a whole number");
  if (signatures.length === 0) throw malformed("has no v1");
  if (!signatures.every((each) => /^[\da-f]{64}$/u.test(each))) {
    throw malformed("has a v1 that is not 64 lower-case hex digits");
  }
  return { timestamp, signatures };
};

const hmacHex = async (secret: string, timestamp: string, body: Uint8Array): Promise<string> => {
  const { subtle } = globalThis.crypto;
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const prefix = encoder.encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return hexOf(new Uint8Array(await subtle.sign("HMAC", key, signed)));
};

/** Compares two strings of the same length in constant time. */
const isSame = (left: string, right: string): boolean => {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index++) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  }
  return difference === 0;
};

/** The body is not what was sent, but base64 of it, "eyJldmVudCI6…": API gateways pass bodies that way. */
const isBase64 = (body: Uint8Array): boolean => {
  const text = new TextDecoder().decode(body);
  if (!/^[\w+/\s-]+=*\s*$/u.test(text)) return false;
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/")).trimStart().startsWith("{");
  } catch {
    return false;
  }
};

const mismatch = (body: Uint8Array, secrets: ReadonlyArray<string>): WebhookVerificationError => {
  if (isBase64(body)) {
    return failed(
      "payload_not_raw",
      `The payload is base64, as API gateways pass bodies (isBase64Encoded), but the signature covers the bytes that ` +
        `were sent. Decode it first: Buffer.from(event.body, "base64").`
    );
  }
  const why = secrets.some((secret) => /^whsec_[\w+/=-]+$/u.test(secret))
    ? "the secret belongs to another endpoint, or the body was modified"
    : "this is not the secret of an endpoint, which is whsec_ with letters and digits, without quotes";
  return failed("signature_mismatch", `No v1 in X-Service-Signature matches: ${why}.`);
};

const checkSignature = async (header: string, body: Uint8Array, secrets: ReadonlyArray<string>) => {
  const { timestamp, signatures } = readSignature(header);
  let matches = 0;
  for (const secret of secrets) {
    const expected = await hmacHex(secret, timestamp, body);
    for (const signature of signatures) matches += Number(isSame(signature, expected));
  }
  if (matches > 0) return Number(timestamp);
  throw mismatch(body, secrets);
};

const checkTime = (signedAt: number, options: VerifyWebhookOptions): void => {
  const tolerance = options.toleranceSeconds ?? TOLERANCE_SECONDS_DEFAULT;
  const now = typeof options.now === "function" ? options.now() : (options.now ?? Date.now());
  const age = secondsOf(now) - signedAt;
  if (!Number.isFinite(tolerance) || tolerance < 0 || Number.isNaN(age)) {
    throw failed("invalid_options", "toleranceSeconds must be a number of 0 or more, and now a time.");
  }
  if (age > tolerance) {
    const message = `The delivery was signed ${age} s ago; at most ${tolerance} s are allowed.`;
    throw failed("timestamp_too_old", message);
  }
  if (-age > tolerance) {
    const message = `The delivery was signed ${-age} s in the future: check the clock of this machine.`;
    throw failed("timestamp_in_future", message);
  }
};

const readEvent = (body: Uint8Array): WebhookEvent => {
  try {
    const read = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent;
    if (typeof read.event === "string" && typeof read.data === "object" && read.data !== null) return read;
  } catch {
    // Reported below.
  }
  throw failed(
    "malformed_payload",
    "The body is not JSON of the form { event, data }, so it is not a Winnow event."
  );
};

/** Returns the event if its signature and time are valid. Rejects with {@link WebhookVerificationError}. */
export const verifyWebhook = async (options: VerifyWebhookOptions): Promise<WebhookEvent> => {
  const body = bytesOf(options.payload);
  const header = signatureHeader(options.headers);
  if (header !== null) {
    checkTime(await checkSignature(header, body, secretsOf(options.secret)), options);
  } else if (options.allowUnsigned !== true) {
    throw failed(
      "unsigned",
      "X-Service-Signature is missing: anyone may have sent this. Register an endpoint, whose secret signs " +
        "deliveries, or pass allowUnsigned: true."
    );
  }
  return readEvent(body);
};

/** Creates the signature headers of a delivery as the service does, for tests of receivers. */
export const signWebhook = async ({
  payload,
  secret,
  timestamp = Date.now()
}: SignWebhookOptions): Promise<{ readonly "X-Service-Signature": string }> => {
  const body = bytesOf(payload);
  const t = String(secondsOf(timestamp));
  const hexes = await Promise.all(secretsOf(secret).map((each) => hmacHex(each, t, body)));
  return { "X-Service-Signature": [`t=${t}`, ...hexes.map((hex) => `v1=${hex}`)].join(",") };
};
