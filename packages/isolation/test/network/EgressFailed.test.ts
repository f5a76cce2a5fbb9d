import { assert, describe, it } from "@effect/vitest";
import {
  ProxyFailed,
  toEgressFailed,
  UndecodableBody,
  Unresolvable
} from "../../src/network/guard/EgressFailed.ts";
import { EgressRefused } from "../../src/network/guard/EgressRefused.ts";

const coded = (code: string): Error => Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:80"), { code });

describe("an error of a connection", () => {
  it.each([
    ["ECONNREFUSED", "unreachable", "refused", /refused/u],
    ["EHOSTUNREACH", "unreachable", "timeout", /no route/u],
    ["UND_ERR_SOCKET", "unreachable", "reset", /closed/u],
    ["CERT_HAS_EXPIRED", "unreachable", "tls", /expired/u],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "unreachable", "tls", /self-signed/u],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "unreachable", "tls", /another host/u],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unreachable", "tls", /unknown authority/u],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "unreachable", "tls", /handshake/u],
    ["CERT_REVOKED", "unreachable", "tls", /not valid/u],
    ["UND_ERR_HEADERS_TIMEOUT", "timeout", undefined, /too long/u],
    ["HPE_INVALID_CONSTANT", "bad_response", undefined, /malformed/u],
    ["Z_DATA_ERROR", "bad_response", undefined, /malformed/u],
    ["ENOBODYKNOWS", "unreachable", undefined, /could not be reached/u]
  ] as const)("is told in our words, without its address: %s", (code, reason, unreachableCause, words) => {
    const failed = toEgressFailed(coded(code), 0);
    assert.deepStrictEqual([failed.reason, failed.unreachableCause], [reason, unreachableCause]);
    assert.match(failed.message, words);
    assert.notInclude(failed.message, "10.0.0.1");
  });

  it("is told apart from a name without an address and from a body that cannot be decoded", () => {
    const { reason, unreachableCause } = toEgressFailed(new Unresolvable(), 0);
    assert.deepStrictEqual([reason, unreachableCause], ["unreachable", "dns"]);
    assert.strictEqual(toEgressFailed(new UndecodableBody("It is damaged"), 0).reason, "bad_response");
  });
});

it("a refusal of the first address is one of the caller's URL, a later one is not", () => {
  const refused = new EgressRefused("address", "inside.example", 80);
  assert.strictEqual(toEgressFailed(refused, 0).reason, "host_not_public");
  assert.strictEqual(toEgressFailed(refused, 1).reason, "blocked_address");
});

it("a proxy that declines a host works, any other failure of it is its own", () => {
  const failures = (["away", "credentials", "protocol", "declined"] as const).map(
    (reason) => new ProxyFailed(reason, "x").isProxy
  );
  assert.deepStrictEqual(failures, [true, true, true, false]);
});
