/**
 * Winnow inside a Next app: save this as app/winnow/[[...path]]/route.ts.
 */
import { createWinnow } from "@winnow/server";

/** Runs outlive serverless functions, which end after their response: this needs your own server. */
export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** One per process, even if a development server reloads this file. */
const kept = globalThis as { winnow?: ReturnType<typeof createWinnow> };

/** Started by the first request, because `next build` loads this file too; it refuses other exports than those of a route. */
const winnow = (): ReturnType<typeof createWinnow> =>
  (kept.winnow ??= createWinnow({
    env: process.env,
    publicUrl: process.env.WINNOW_PUBLIC_URL ?? "http://127.0.0.1:3000/winnow"
  }));

const route = async (request: Request): Promise<Response> => (await winnow()).fetch(request);

export { route as GET, route as HEAD, route as POST, route as PATCH, route as DELETE, route as OPTIONS };
