/**
 * Where callers reach this server; artifact URLs begin with it. No slash at the end.
 */
import * as Context from "effect/Context";

export class PublicUrl extends Context.Service<PublicUrl, string>()("@winnow/server/http/PublicUrl") {}

/** The path of that URL, without a slash at its end. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/u, "");

/** Where its pages lie, as a path with a slash at its end: whoever came here stays on the host. */
export const publicPath = (publicUrl: string): string => `${basePathOf(publicUrl)}/`;
