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
  /** From now on; 404 to everything before. */
  readonly answer: (listener: RequestListener) => void;
}

const openPlace = Effect.gen(function* () {
  let listener: RequestListener = (_request, response) => response.writeHead(404).end();
  const site = yield* serve((request, response) => listener(request, response));
  return { site, answer: (next: RequestListener) => void (listener = next) } satisfies Place;
});

/**
 * For the tests of a file that share a downloader, a host for each: what it has learned of one says nothing of the
 * next. They close after the file.
 */
export const openPlaces = async (count: number) => {
  const scope = Scope.makeUnsafe();
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));
  const opened = Effect.all(Array.from({ length: count }, () => openPlace));
  const places = await Effect.runPromise(Scope.provide(opened, scope));
  return {
    /** For the allow-list. */
    authorities: places.map(({ site }) => site.authority),
    /** An unused one. */
    next: (): Place => places.pop() ?? assert.fail("more tests than places")
  };
};
