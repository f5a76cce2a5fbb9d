/** JSON that an operator wrote by hand. Its mistakes are named by their place, because the text may have passwords. */
import * as Result from "effect/Result";

const SPACE = /[ \t\n\r]*/uy;
/** "say \"hi\" \u00e9", with its quotes. */
const TEXT = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
/** -1.5e3, true. */
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** Index of the first character that JSON does not allow there; of a value that is cut off, its start. */
const faultAt = (text: string): number => {
  let at = 0;
  const takes = (token: RegExp | string): boolean => {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)?.[0].length ?? 0;
    if (typeof token !== "string") token.lastIndex = at;
    const found = typeof token === "string" ? text.startsWith(token, at) && token : token.exec(text)?.[0];
    at += typeof found === "string" ? found.length : 0;
    return typeof found === "string";
  };
  const members = (end: string, member: () => boolean): boolean => {
    if (takes(end)) return true;
    do if (!member()) return false;
    while (takes(","));
    return takes(end);
  };
  const value = (): boolean => {
    if (takes("{")) return members("}", () => takes(TEXT) && takes(":") && value());
    return takes("[") ? members("]", value) : takes(TEXT) || takes(SCALAR);
  };
  value();
  takes(SPACE);
  return at;
};

/** Fails with a sentence without any of the text. */
export const readOperatorJson = (text: string): Result.Result<unknown, string> =>
  Result.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => {
      const before = text.slice(0, faultAt(text)).split("\n");
      return `the file is not JSON: see line ${before.length}, column ${(before.at(-1) ?? "").length + 1}.`;
    }
  });
