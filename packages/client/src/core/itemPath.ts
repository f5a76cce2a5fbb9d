/** Paths of single resources. Invalid ids are rejected before any request. Tests: settings.test.ts. */
import { WinnowError } from "./apiError.ts";

/** Starts with `/v1`. A function throws {@link WinnowError} if an id is invalid. */
export type Path = string | (() => string);

export const textOf = (path: Path): string => (typeof path === "string" ? path : path());

/** Letters, digits and characters without a meaning in paths; not `.` and `..`, which URLs resolve. */
const ID = /^(?!\.{1,2}$)[\w.~:@-]{1,256}$/u;
/** "image-1.jpg"; may contain blanks, but nothing that separates folders. */
const FILE_NAME = /^(?!\.{1,2}$)[^/\\\p{Cc}]{1,256}$/u;

/** What a caller gave, as far as an error cites it. */
export const CITED_CHARS_MAX = 200;

const displayText = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value.slice(0, CITED_CHARS_MAX)) : String(value);

const segment = (rule: RegExp, what: string, value: unknown): string => {
  if (typeof value === "string" && rule.test(value)) return encodeURIComponent(value);
  throw new WinnowError(`${what} is ${displayText(value)}, which is not valid. No request was sent.`);
};

/** Path with ids in it: "/v1/members/{member}" takes one, and errors name it as the braces do. */
export const pathOf =
  (template: string, ...ids: ReadonlyArray<string>): Path =>
  () => {
    let count = 0;
    return template.replace(/\{([^}]+)\}/gu, (_, what: string) =>
      segment(ID, `The id of the ${what}`, ids[count++])
    );
  };

export const filePath =
  (id: string, name: string, rest = ""): Path =>
  () => {
    const file = segment(FILE_NAME, "The name of the file", name);
    return `/v1/extractions/${segment(ID, "The id of the extraction", id)}/files/${file}${rest}`;
  };
