// @module-tag long
/**
 * DNS rebinding: names that resolve to a public address at first and to an internal one later. A page in the browser
 * does not lead to the internal one. Egress, its proxy for child programs and webhooks have this in their own tests.
 */
import { createServer } from "node:http";
import { assert, describe, it } from "@effect/vitest";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { PageRenderer } from "../../src/sources/browser/PageRenderer.ts";
import { browser, CHROMIUM, SKIPPED, workFolder } from "./browser/Browsing.ts";
import { serve } from "@winnow/isolation/test/network/LoopbackServer";

const OPEN = "127.0.0.1";
const INSIDE = "127.0.0.2";

const workDir = workFolder();

/** An internal server on the port of the public site, because the name resolves to both addresses. */
const openInside = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let arrivals = 0;
      const server = createServer((_request, response) => response.end("secret"));
      server.on("connection", () => arrivals++);
      await new Promise<void>((resolve) => server.listen(port, INSIDE, resolve));
      return { arrivals: () => arrivals, server };
    }),
    ({ server }) => Effect.sync(() => server.close())
  );

/** `N-times.…` resolves to the public address N times, then to the internal one; `in-turns.…` alternates. */
const rebinding = () => {
  const asked = new Map<string, number>();
  const resolve = async (host: string) => {
    const count = (asked.get(host) ?? 0) + 1;
    asked.set(host, count);
    const times = Number(/^(\d+)-times\./u.exec(host)?.[1] ?? (count % 2 === 1 ? count : 0));
    return [count <= times ? OPEN : INSIDE];
  };
  return { asked, resolve };
};

const ANSWERS = ["1-times", "2-times", "4-times", "in-turns"];

describe.skipIf(CHROMIUM === null)(`a page in the browser${SKIPPED}`, () => {
  it.live("is not led inside by a name that changes its answer, nor are its scripts", () =>
    Effect.gen(function* () {
      const page = yield* serve((request, response) => {
        if (request.url !== "/") return response.writeHead(200, { connection: "close" }).end("open");
        // Without keep-alive, each request resolves the name again.
        return response.writeHead(200, { "content-type": "text/html", connection: "close" }).end(`<p id=root>
          </p><script>(async () => {
            const said = [];
            for (let n = 0; n < 6; n++) said.push(await fetch("/" + n).then((r) => r.text(), () => "failed"));
            root.textContent = said.join(" ");
          })()</script>`);
      });
      const hidden = yield* openInside(page.port);
      const turning = rebinding();
      const context = yield* Layer.build(
        browser({ workDir, resolve: turning.resolve, allow: [page.authority] })
      );
      const { render } = Context.get(context, PageRenderer);
      yield* Effect.forEach(ANSWERS, (answers) =>
        Effect.exit(Effect.provide(render(`http://${answers}.page.example.org:${page.port}/`), context))
      );
      assert.strictEqual(hidden.arrivals(), 0);
      assert.isAbove(turning.asked.get("1-times.page.example.org") ?? 0, 1);
      assert.isAbove(page.requests.length, 0);
    }).pipe(Effect.scoped)
  );
});
