/** The web session that a client with `session: true` speaks in. */
import type { Call } from "./call.ts";
import type { SessionList, SignInMethods } from "./generated/types.ts";
import { sendJson, type RequestOptions, type Transport } from "./request.ts";

export class Session {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Browsers that are signed in to the account, this one included; newest first. */
  list(options: RequestOptions = {}): Call<SessionList> {
    return sendJson(this.transport, { method: "GET", path: "/v1/sessions", ...options });
  }

  /** The ways of signing in, beside the operator's link. Answers whoever is signed out, too. */
  signInMethods(options: RequestOptions = {}): Call<SignInMethods> {
    return sendJson(this.transport, { method: "GET", path: "/sign-in/methods", ...options });
  }

  /** Ends every session of the account, this one too, and every sign-in link that was not used. */
  signOutEverywhere(options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: "/v1/sessions", ...options });
  }

  /** Ends this session at once. */
  signOut(options: RequestOptions = {}): Call<void> {
    return sendJson(this.transport, { method: "DELETE", path: "/v1/session", ...options });
  }
}
