/** Several instances on one database, their roles, and the paths at which they are mounted. */
import { findWebFiles } from "../../src/web/WebFiles.ts";
import { FakeDownloader } from "@winnow/testing";
import { NotFoundError } from "@winnow/client";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { assert, describe, it, onTestFinished } from "vitest";
import { createWinnow, type EmbeddedWinnow } from "../../src/index.ts";
import { embedded, facts, fakes, VIDEO } from "./embedded.ts";

const STUCK = "https://example.com/stuck";

/** Ports that outlive an instance, as a database does. */
const sharedPorts = async () => {
  const [first, ...rest] = [
    ...fakes,
    FakeDownloader.layer({ [STUCK]: { facts, beforeFetch: Effect.never }, [VIDEO]: { facts } })
  ] as const;
  const scope = Scope.makeUnsafe();
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)));
  const context = await Effect.runPromise(Layer.buildWithScope(Layer.mergeAll(first!, ...rest), scope));
  return Layer.succeedContext(context);
};

const statusOf = async ({ fetch }: EmbeddedWinnow, path: string): Promise<number> =>
  (await fetch(new Request(`http://localhost${path}`))).status;

describe("roles", () => {
  it("an api accepts runs that a worker executes", async () => {
    const layers = await sharedPorts();
    await using api = await embedded({ layers, role: "api" });
    const { id } = await api.client.submit({ url: VIDEO });
    assert.strictEqual((await api.client.extractions.get(id)).status, "pending");
    assert.strictEqual(await statusOf(api.winnow, "/readyz"), 200);
    await using worker = await createWinnow({ layers, role: "worker" });
    assert.strictEqual((await api.client.extractions.wait(id)).status, "complete");
    assert.strictEqual(await statusOf(worker, "/readyz"), 200);
    assert.strictEqual(await statusOf(worker, "/v1/account"), 404);
    const asked: unknown = await worker
      .client(api.accountId)
      .account()
      .catch((error: unknown) => error);
    assert.instanceOf(asked, NotFoundError);
  });
});

describe("close", () => {
  it("requeues the run in progress", async () => {
    const layers = await sharedPorts();
    const first = await embedded({ layers });
    const { id } = await first.client.submit({ url: STUCK });
    for await (const { event, data } of first.client.extractions.events(id)) {
      if (event === "progress" && data.step === "fetching") break;
    }
    await first.winnow.close();
    await using second = await createWinnow({ layers, role: "api" });
    assert.strictEqual((await second.client(first.accountId).extractions.get(id)).status, "pending");
  });
});

describe("a public URL with a path", () => {
  it("is used by all pages", async () => {
    await using app = await embedded({ publicUrl: "https://app.example/winnow" });
    const at = (path: string) => app.winnow.fetch(new Request(`https://app.example${path}`));
    const home = await at("/winnow");
    const page = findWebFiles() === null ? "docs" : "app/";
    assert.deepEqual([home.status, home.headers.get("location")], [302, `/winnow/${page}`]);
    assert.strictEqual((await at("/winnow/docs")).status, 200);
    const { servers } = (await (await at("/winnow/v1/openapi.json")).json()) as any;
    assert.strictEqual(servers[0].url, "/winnow");
  });
});

describe("basePath", () => {
  it("is removed only as a whole path segment", async () => {
    await using app = await embedded({ basePath: "/files/of/winnow", publicUrl: "https://app.example" });
    const { id } = await app.client.extract({ url: VIDEO });
    const headers = { "x-api-key": app.key };
    const at = async (path: string) =>
      app.winnow.fetch(new Request(`https://app.example${path}`, { headers }));
    const file = await at(`/files/of/winnow/v1/extractions/${id}/files/video.mp4?x=/files/`);
    assert.strictEqual(await file.text(), "content of video.mp4");
    assert.strictEqual((await at("/files/of/winnow/v1/account?x=1")).status, 200);
    assert.strictEqual((await at("/v1/account")).status, 200);
    assert.strictEqual((await at("/files/of/winnowing/v1/account")).status, 404);
    assert.strictEqual((await at(`/files/of/winnow/v1/extractions/${id}/files/..%2fvideo.mp4`)).status, 400);
  });
});
