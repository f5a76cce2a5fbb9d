/**
 * Sends generated requests over real sockets, and validates every response against the OpenAPI document.
 */
import { request as send } from "node:http";
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { assertContract } from "../Contract.ts";
import { ADMIN_TOKEN, TestApp, VIDEO } from "../TestApp.ts";
import { randomOf, requestOf, type Request } from "./Requests.ts";

const AT_ONCE = 8;

/** Traces of our code, its libraries or the database. */
const INTERNALS =
  /node_modules|\bat \S+ \(|\.ts:\d|\/src\/|TypeError|ReferenceError|undefined is not|ECONN|Effect|Schema\w*Error|SQL|relation "|packages\//u;

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends the request unchanged: `fetch` would correct some of the errors. */
const exchange = (port: number, { method, path, headers, body }: Request): Promise<Seen | null> =>
  new Promise((resolve) => {
    const outgoing = send({ host: "127.0.0.1", port, method, path, insecureHTTPParser: true }, (answer) => {
      let text = "";
      const finish = (): void =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
          text
        });
      // The event stream of a run may last for minutes, so only its beginning is read.
      if (answer.headers["content-type"]?.startsWith("text/event-stream") === true) {
        answer.destroy();
        return finish();
      }
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", finish);
    });
    outgoing.on("error", () => resolve(null));
    const lists = Map.groupBy(headers, ([name]) => name);
    for (const [name, values] of lists) {
      const each = values.map(([, value]) => value);
      outgoing.setHeader(name, each.length === 1 ? (each[0] ?? "") : each);
    }
    // Node sets Content-Length for some methods only; without it, the body would be parsed as the next request.
    if (body !== null) outgoing.setHeader("content-length", Buffer.byteLength(body));
    outgoing.end(body ?? undefined);
  });

/** False for requests that Node's client refuses to send. */
const isSendable = ({ path, headers }: Request): boolean =>
  // oxlint-disable-next-line no-control-regex -- searched for on purpose
  /^[\u0021-\u00ff]+$/u.test(path) &&
  headers.every(([, value]) => /^[\t\u0020-\u007e\u0080-\u00ff]*$/u.test(value));

const assertHarmless = (request: Request, { status, headers, text }: Seen): void => {
  const { method, path, body } = request;
  const sent = `${method} ${path.slice(0, 300)} ${(body ?? "").slice(0, 500)}`;
  assert.isBelow(status, 500, `${sent} answered ${text}`);
  assert.isNotNull(headers.get("x-request-id"), sent);
  const seen = { method, path, status, headers, text };
  // A probe ignores fields that do not affect the price. Of two headers with one name, the first counts.
  assertContract(
    path.startsWith("/v1/probe")
      ? seen
      : { ...seen, request: { headers: Object.fromEntries(request.headers.toReversed()), body } }
  );
  if (status < 400 || method === "HEAD") return;
  // A browser that asks for a page gets one, at sign-in only.
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  if (isPage) assert.match(path, /^\/sign-in/u, sent);
  const message: string = isPage ? text.slice(0, 499) : JSON.parse(text).error.message;
  assert.notMatch(message, INTERNALS, sent);
  assert.isBelow(message.length, 500, sent);
};

/** Returns the number of responses by status. */
export const fuzz = Effect.fnUntraced(function* (count: number, seed: number) {
  const app = yield* TestApp;
  const me = yield* app.account(10_000_000);
  const done = yield* app.finished(me, { url: VIDEO });
  const credentials = (path: string) =>
    path.startsWith("/admin")
      ? ([["authorization", `Bearer ${ADMIN_TOKEN}`]] as const)
      : ([["x-api-key", me.key]] as const);
  const random = randomOf(seed);
  const requests = Array.from({ length: count }, () =>
    requestOf(random, credentials, [done, me.id, "video.mp4"])
  ).filter(isSendable);
  assert.isAbove(requests.length, count * 0.8);
  const counts = new Map<number, number>();
  yield* Effect.forEach(
    requests,
    Effect.fnUntraced(function* (request) {
      const seen = yield* Effect.promise(() => exchange(app.port, request));
      if (seen === null) return assert.fail(`no answer to ${request.method} ${request.path.slice(0, 300)}`);
      assertHarmless(request, seen);
      counts.set(seen.status, (counts.get(seen.status) ?? 0) + 1);
    }),
    { concurrency: AT_ONCE, discard: true }
  );
  return counts;
});
