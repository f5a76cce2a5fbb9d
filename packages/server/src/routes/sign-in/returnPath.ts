/**
 * The redirect target after a sign-in. It comes from a link that anybody can write, so it must stay on this server.
 * Pure.
 */
import { basePathOf, publicPath } from "../../http/PublicUrl.ts";

/** Maximum length, in characters. */
const ONWARD_CHARS_MAX = 2_000;

/**
 * A path of this server, with or without the path of its public URL; the home page for anything else. Browsers read
 * `\\` as `/` and ignore tabs, so only plain paths are accepted: `//evil.example` is a host.
 */
export const returnPath = (to: string | undefined, publicUrl: string): string => {
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
