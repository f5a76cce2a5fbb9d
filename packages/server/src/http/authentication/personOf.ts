/** The parts of a request that sign-in methods may read. */
import type { SignInRequest } from "@winnow/core/ports/SignInMethod";
import type { HttpServerRequest } from "effect/http/HttpServerRequest";
import * as Option from "effect/Option";

export const personOf = (
  { headers, remoteAddress }: HttpServerRequest,
  publicUrl: string
): Omit<SignInRequest, "callbackUrl"> => ({
  headers,
  remoteAddress: Option.getOrNull(remoteAddress),
  publicUrl
});
