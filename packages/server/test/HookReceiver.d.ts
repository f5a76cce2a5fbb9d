/**
 * A webhook receiver on loopback: HTTPS with a certificate from an authority made for the test.
 */
import type { IncomingHttpHeaders } from "node:http";
import * as Effect from "effect/Effect";
export interface Hook {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
/** Keys and certificates in PEM. */
export interface Authority {
  readonly private: string;
  readonly cert: string;
}
/** An authority made for a test, whose certificate a server gets by NODE_EXTRA_CA_CERTS. */
export declare const makeAuthority: () => Promise<Authority>;
export interface HookReceiver extends AsyncDisposable {
  readonly host: string;
  readonly url: string;
  /** In order of arrival. */
  readonly hooks: Array<Hook>;
  /** Sets the status of the next responses; 204 at first. */
  readonly answer: (status: number) => void;
}
export declare const openHookReceiver: (authority: Authority) => Promise<HookReceiver>;
export declare const hookReceiver: (
  authority: Authority
) => Effect.Effect<HookReceiver, never, import("effect/Scope").Scope>;
