/** DeleteObjects: many objects in one request, or one by one for stores that do not support it. Tests: S3Artifacts.test.ts. */
import { createHash } from "node:crypto";
import { S3Errors } from "@bradenmacdonald/s3-lite-client";
import * as Effect from "effect/Effect";
import type { S3Connection } from "./S3Connection.ts";
import { S3AnswerBroken } from "./S3Failure.ts";

/** Maximum objects per request, as defined by S3. */
export const REMOVED_IN_REQUEST = 1_000;

/** Concurrent requests when removing one by one. */
const REMOVALS_AT_ONCE = 8;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/gu, (found) => ESCAPES[found] ?? found);

/** Quiet mode: only failures are returned. */
const bodyOf = (keys: ReadonlyArray<string>): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${keys
    .map((key) => `<Object><Key>${escaped(key)}</Key></Object>`)
    .join("")}</Delete>`;

/** Distinguishes an unsupported operation from an unavailable store or a rejected request. */
const isUnknownThere = (cause: unknown): boolean =>
  cause instanceof S3Errors.ServerError && [400, 404, 405, 501].includes(cause.statusCode);

const CODE = /<Code>([A-Za-z0-9]{1,64})<\/Code>/u;

const removeTogether = (connection: S3Connection, keys: ReadonlyArray<string>) => {
  const payload = Buffer.from(bodyOf(keys));
  // A checksum is required; this is the one that every store supports.
  const headers = new Headers({ "content-md5": createHash("md5").update(payload).digest("base64") });
  return connection
    .request({ method: "POST", objectName: "", query: { delete: "" }, headers, payload, returnBody: true })
    .pipe(
      Effect.flatMap((response) => Effect.promise(() => response.text())),
      Effect.flatMap((answer) => {
        const [, code] = /<Error>/u.test(answer) ? (CODE.exec(answer) ?? ["", "unknown"]) : [];
        return code === undefined
          ? Effect.void
          : Effect.fail(new S3AnswerBroken(`could not remove every object (${code})`));
      })
    );
};

const removeEach = (connection: S3Connection, keys: ReadonlyArray<string>) =>
  Effect.forEach(
    keys,
    (objectName) => connection.request({ method: "DELETE", objectName, statusCode: 204 }),
    { concurrency: REMOVALS_AT_ONCE, discard: true }
  );

/**
 * At most {@link REMOVED_IN_REQUEST}; a single object is removed with a plain request, which every store supports.
 */
export const removeObjects = (
  connection: S3Connection,
  keys: ReadonlyArray<string>
): Effect.Effect<void, unknown> =>
  keys.length === 1
    ? removeEach(connection, keys)
    : removeTogether(connection, keys).pipe(
        Effect.catch((cause) => (isUnknownThere(cause) ? removeEach(connection, keys) : Effect.fail(cause)))
      );
