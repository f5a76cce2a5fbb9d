/**
 * Remembers an identified person while they choose an account: a signed text that their browser keeps. It grants
 * what the sign-in that it came from granted, for a few minutes.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Identity } from "./Member.ts";

/** Enough time to read a page and ask a colleague. */
export const IDENTITY_TICKET_TTL_MS = 10 * 60_000;

const Content = Schema.fromJsonString(Schema.Struct({ identity: Identity, expiresAtMs: Schema.Int }));
const write = Schema.encodeSync(Content);
const read = Schema.decodeUnknownOption(Content);

const signatureOf = (secret: string, content: string): Buffer =>
  createHmac("sha256", secret)
    .update(JSON.stringify(["identity", content]))
    .digest();

/** Two base64url texts, joined by a dot. */
export const identityTicket = (secret: string, identity: Identity, nowMs: number): string => {
  const content = write({ identity, expiresAtMs: nowMs + IDENTITY_TICKET_TTL_MS });
  return `${Buffer.from(content).toString("base64url")}.${signatureOf(secret, content).toString("base64url")}`;
};

/** None if it is not ours or has expired. */
export const ticketIdentity = (secret: string, ticket: string, nowMs: number): Option.Option<Identity> => {
  const [encoded = "", signature = ""] = ticket.split(".");
  const content = Buffer.from(encoded, "base64url").toString("utf8");
  const [actual, expected] = [Buffer.from(signature, "base64url"), signatureOf(secret, content)];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return Option.none();
  return read(content).pipe(
    Option.filter(({ expiresAtMs }) => nowMs < expiresAtMs),
    Option.map(({ identity }) => identity)
  );
};
