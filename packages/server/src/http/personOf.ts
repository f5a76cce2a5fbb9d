/**
 * What ways of signing in may look at of a request.
 */
import type { SignInRequest } from "@winnow/core/ports/SignInMethod";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";

export const personOf = ({
  headers,
  remoteAddress
}: HttpServerRequest): Omit<SignInRequest, "callbackUrl"> => ({
  headers,
  remoteAddress: Option.getOrNull(remoteAddress)
});
