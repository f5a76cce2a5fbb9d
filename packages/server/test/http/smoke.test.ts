import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { TestApp, VIDEO } from "../TestApp.ts";

layer(TestApp.layer, { excludeTestServices: true })("smoke", (it) => {
  it.effect("works", () =>
    Effect.gen(function* () {
      const app = yield* TestApp;
      const me = yield* app.account(10_000);
      const res = yield* app.call("/v1/extractions", { key: me.key, body: { url: VIDEO } });
      console.log(res.status, res.text, [...res.headers]);
      const id = yield* app.finished(me, { url: VIDEO, force: true });
      for (const path of [`/v1/extractions/${id}`, `/v1/extractions/${id}/result`, "/v1/extractions", `/v1/extractions/${id}/files/video.mp4`, "/nope", "/healthz", "/readyz"]) {
        const a = yield* app.call(path, { key: me.key });
        console.log(path, a.status, a.text.slice(0, 600), [...a.headers].map(h => h.join("=")).join(" "));
      }
      assert.strictEqual(res.status, 201);
    })
  );
});
