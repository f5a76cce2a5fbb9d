/** Deterministic ids for things that a request or event creates once: the same cause gives the same id. */
import { hash } from "node:crypto";

/** Characters after the prefix: 128 bits, so collisions are negligible. */
const ID_CHARS = 32;

/** `cause` is unique within `owner`, which must not contain a line feed. */
export const derivedId = (prefix: string, owner: string, cause: string): string =>
  `${prefix}_${hash("sha256", `${owner}\n${cause}`, "hex").slice(0, ID_CHARS)}`;
