import { assert, describe, it } from "@effect/vitest";
import * as Option from "effect/Option";
import {
  identityTicket,
  IDENTITY_TICKET_TTL_MS,
  ticketIdentity
} from "../../../src/domain/access/Session.ts";

const ADA = { issuer: "https://issuer.example", subject: "1", email: "ada@example.com", name: "Ada ✓" };
const NOW_MS = 1_700_000_000_000;

describe("the ticket of an identified person", () => {
  it("names them for ten minutes", () => {
    const ticket = identityTicket("secret", ADA, NOW_MS);
    assert.match(ticket, /^[\w-]+\.[\w-]+$/u);
    const endMs = NOW_MS + IDENTITY_TICKET_TTL_MS;
    assert.deepStrictEqual(ticketIdentity("secret", ticket, endMs - 1), Option.some(ADA));
    assert.isTrue(Option.isNone(ticketIdentity("secret", ticket, endMs)));
  });

  it("is nobody's if it was made with another secret or changed anywhere", () => {
    const ticket = identityTicket("secret", ADA, NOW_MS);
    assert.isTrue(Option.isNone(ticketIdentity("other", ticket, NOW_MS)));
    const [content = "", signature = ""] = ticket.split(".");
    const forged = Buffer.from(Buffer.from(content, "base64url").toString().replace("ada@", "eve@")).toString(
      "base64url"
    );
    for (const other of ["", ".", content, `${content}.`, `.${signature}`, `${forged}.${signature}`]) {
      assert.isTrue(Option.isNone(ticketIdentity("secret", other, NOW_MS)), other);
    }
  });
});
