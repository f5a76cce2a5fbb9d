/** Loopback sites created before their responses are set, so that one guard can allow all of them. */
import type { RequestListener } from "node:http";
import { assert } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { afterAll } from "vitest";
import { type LoopbackServer, serve } from "./LoopbackServer.ts";

export interface Place {
  readonly site: LoopbackServer;
  /** Sets the response from now on; until then it is 404. */
  readonly answer: (listener: RequestListener) => void;
}

const openPlace = Effect.gen(function* () {
  let listener: RequestListener = (_request, response) => response.writeHead(404).end();
  const site = yield* serve((request, response) => listener(request, response));
  return { site, answer: (next: RequestListener) => void (listener = next) } satisfies Place;
});

/**
 * One host for each test of a file whose tests share a downloader, so that what the downloader learned about one
 * does not affect another. They close after the file.
 */
export const openPlaces = async (count: number) => {
  const scope = Scope.makeUnsafe();
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));
  const opened = Effect.all(Array.from({ length: count }, () => openPlace));
  const places = await Effect.runPromise(Scope.provide(opened, scope));
  return {
    /** For the allow-list. */
    authorities: places.map(({ site }) => site.authority),
    /** A place that no other test has used. */
    next: (): Place => places.pop() ?? assert.fail("more tests than places")
  };
};
