/** Ids of what a request or an event makes once: the same cause has the same id. */
import { hash } from "node:crypto";

/** Characters after the prefix, 128 bits: no two causes meet. */
const ID_CHARS = 32;

/** `cause` is told apart within `owner`, which holds no line feed. */
export const derivedId = (prefix: string, owner: string, cause: string): string =>
  `${prefix}_${hash("sha256", `${owner}\n${cause}`, "hex").slice(0, ID_CHARS)}`;
