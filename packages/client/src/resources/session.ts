/** The web session of a client with `session: true`. */
import type { Call } from "../core/call.ts";
import type { SessionList, SignInMethods } from "../generated/types.ts";
import { sendJson, type RequestOptions, type Transport } from "../core/request.ts";

export class Session {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Web sessions of the account, including this one; newest first. */
  list(options: RequestOptions = {}): Call<SessionList> {
    return sendJson(this.transport, { method: "GET", path: "/v1/sessions", ...options });
  }

  /** Sign-in methods other than the operator's link. Works without being signed in. */
  signInMethods(options: RequestOptions = {}): Call<SignInMethods> {
    return sendJson(this.transport, { method: "GET", path: "/sign-in/methods", ...options });
  }

  /** Ends every session of the account, including this one, and invalidates unused sign-in links. */
  signOutEverywhere(options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: "/v1/sessions", ...options });
  }

  /** Ends this session at once. */
  signOut(options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: "/v1/session", ...options });
  }
}
