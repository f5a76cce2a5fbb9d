/**
 * Winnow inside of a Next app: save this as app/winnow/[[...path]]/route.ts.
 */
import { createWinnow } from "@winnow/server";

/** Runs take longer than a function that is gone after its answer: this needs a server of your own. */
export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** One for the process, also when a development server loads this file again. */
const kept = globalThis as { winnow?: ReturnType<typeof createWinnow> };

/** Started by the first request: `next build` loads this file too. */
export const winnow = (): ReturnType<typeof createWinnow> =>
  (kept.winnow ??= createWinnow({
    env: process.env,
    publicUrl: process.env.WINNOW_PUBLIC_URL ?? "http://127.0.0.1:3000/winnow"
  }));

const route = async (request: Request): Promise<Response> => (await winnow()).fetch(request);

export { route as GET, route as HEAD, route as POST, route as PATCH, route as DELETE, route as OPTIONS };
