/**
 * Where a sign-in goes on to. It stands in a link that anybody can write, so it must not lead elsewhere. Pure.
 */
import { basePathOf, publicPath } from "./PublicUrl.ts";

/** Longest path to go on to, in characters. */
const ONWARD_CHARS_MAX = 2_000;

/**
 * A path of this server, with or without the path of its public URL; the home of all others. Browsers read `\\`
 * as `/` and leave tabs out, so what is not plainly a path is none: `//evil.example` is a host.
 */
export const onwardPath = (to: string | undefined, publicUrl: string): string => {
  const isPath =
    to !== undefined && to.length <= ONWARD_CHARS_MAX && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/u.test(to);
  if (!isPath) return publicPath(publicUrl);
  const base = basePathOf(publicUrl);
  const onward = to === base || to.startsWith(`${base}/`) ? to : `${base}${to}`;
  const { origin } = new URL(publicUrl);
  return URL.canParse(onward, publicUrl) && new URL(onward, publicUrl).origin === origin
    ? onward
    : publicPath(publicUrl);
};
