/** The web session whose cookie a request has, if it is live and still belongs to the person at the browser. */
import { SESSION_COOKIE, type Session } from "@winnow/core/domain/access/Session";
import { SignIn } from "@winnow/core/engine/accounts/SignIn";
import type { SignInRequest } from "@winnow/core/ports/SignInMethod";
import { SignInMethods } from "@winnow/core/ports/SignInMethod";
import * as Effect from "effect/Effect";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";
import { PublicUrl } from "../PublicUrl.ts";

/** The parts of a request that sign-in methods may read. */
export const personOf = (
  { headers, remoteAddress }: HttpServerRequest,
  publicUrl: string
): Omit<SignInRequest, "callbackUrl"> => ({
  headers,
  remoteAddress: Option.getOrNull(remoteAddress),
  publicUrl
});

export const makeLiveSession = Effect.gen(function* () {
  const { authenticate } = yield* SignIn;
  const methods = yield* SignInMethods;
  const publicUrl = yield* PublicUrl;

  /** If the proxy reports another person, the previous person's session is not used. */
  const isStill = (request: HttpServerRequest, { member }: Session): boolean =>
    member === null ||
    methods.every(
      (method) =>
        method.issuer !== member.issuer || method.isStill(personOf(request, publicUrl), member.subject)
    );

  return Effect.fnUntraced(function* (request: HttpServerRequest) {
    const session = yield* authenticate(request.cookies[SESSION_COOKIE] ?? "");
    return Option.filter(session, (found) => isStill(request, found));
  });
});
