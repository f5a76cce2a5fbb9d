/**
 * Where callers reach this server; artifact URLs begin with it. No slash at the end.
 */
import * as Context from "effect/Context";

export class PublicUrl extends Context.Service<PublicUrl, string>()("@winnow/server/http/PublicUrl") {}
