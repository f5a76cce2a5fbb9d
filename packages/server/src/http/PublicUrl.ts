/** The public base URL of this server; artifact URLs start with it. No trailing slash. Tests: mounts.test.ts. */
import * as Context from "effect/Context";

export class PublicUrl extends Context.Service<PublicUrl, string>()("@winnow/server/http/PublicUrl") {}

/** The path of that URL, without a trailing slash. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/u, "");

/** The path of its pages with a trailing slash, so that links stay on the current host. */
export const publicPath = (publicUrl: string): string => `${basePathOf(publicUrl)}/`;
