/** Another account's resources behave as if they did not exist, by id, cursor or any endpoint. */
import { assert, layer } from "@effect/vitest";
import * as Effect from "effect/Effect";
import { openApiDocument } from "../../../src/routes/Api.ts";
import type { Answer } from "../../ApiCall.ts";
import { SAME_ORIGIN, signedIn } from "../../SignedIn.ts";
import { ARTICLE, TestApp, VIDEO, type TestAccount } from "../../TestApp.ts";

const HOOK = "https://hooks.example.org/in";

interface Operation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly hasBody: boolean;
}

/** Every operation on a resource of an account that has an id. */
const OPERATIONS: ReadonlyArray<Operation> = Object.entries<Record<string, any>>(openApiDocument().paths)
  .filter(([path]) => path.startsWith("/v1/") && path.includes("{id}"))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      hasBody: requestBody !== undefined
    }))
  );

type Kind =
  | "extractions"
  | "batches"
  | "schemas"
  | "webhook-endpoints"
  | "webhook-deliveries"
  | "api-keys"
  | "members";

const kindOf = ({ path }: Operation): Kind => path.split("/")[2] as Kind;

/** An account with two resources of every kind that has an id, and the id of the latest of each. */
const owning = Effect.gen(function* () {
  const { account, call, finished } = yield* TestApp;
  const owner = yield* account(100_000);
  const { ask } = yield* signedIn(owner.id);
  const latest = {} as Record<Kind, string>;
  const make = Effect.fnUntraced(function* (kind: Kind, body: unknown) {
    const { status, json } = yield* ask(`/v1/${kind}`, { body });
    assert.strictEqual(status, 201, `${kind} ${JSON.stringify(json)}`);
    latest[kind] = json.id;
  });
  for (const name of ["one", "two"]) {
    yield* make("webhook-endpoints", { url: `${HOOK}/${name}` });
    yield* make("api-keys", { name });
    yield* make("members", { email: `${name}.${owner.id}@example.com` });
    yield* make("schemas", { name, schema: { type: "object", properties: { [name]: { type: "string" } } } });
    yield* make("batches", { items: [{ url: ARTICLE }] });
    latest.extractions = yield* finished(owner, { url: VIDEO, force: true });
  }
  const { json } = yield* call("/v1/webhook-deliveries", { key: owner.key });
  latest["webhook-deliveries"] = json.data[0].id;
  return { owner, latest };
});

/** Everything an owner can read of the account's resources. */
const belongings = (owner: TestAccount) =>
  Effect.gen(function* () {
    const { ask } = yield* signedIn(owner.id);
    const paths = [
      "extractions",
      "batches",
      "schemas",
      "webhook-endpoints",
      "webhook-deliveries",
      "api-keys",
      "members"
    ];
    return yield* Effect.forEach(
      [...paths.map((kind) => `/v1/${kind}`), "/v1/account", "/v1/ledger"],
      (path) =>
        Effect.map(ask(path), ({ json }) => {
          // `lastUsedAt` of a key changes with the owner's requests here.
          return JSON.stringify(json).replaceAll(/"lastUsedAt":[^,}]*/gu, "");
        })
    );
  });

/** A valid id that does not exist. */
const unknownLike = (id: string): string =>
  id.replaceAll(/.(?=.{0,5}$)/gu, (char) => (char === "0" ? "1" : "0"));

/** The least that is read; other operations take a body without fields. */
const bodyOf = ({ method, path }: { readonly method: string; readonly path: string }): object => {
  if (path.endsWith("/corrections")) return { values: {} };
  return method === "PATCH" ? { name: "Mine" } : {};
};

const told = ({ status, json, text }: Answer, id: string) => [status, json ?? text.replaceAll(id, "ID")];

layer(TestApp.layerUnlimited, { excludeTestServices: true })("what is somebody else's", (it) => {
  it.effect("returns 404 for each operation, as if it never existed, and does not change", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { latest, owner } = yield* owning;
      const stranger = yield* account(100_000);
      const { cookie } = yield* signedIn(stranger.id);
      const before = yield* belongings(owner);
      const asStranger: ReadonlyArray<Record<string, string>> = [
        { "x-api-key": stranger.key },
        { cookie, ...SAME_ORIGIN }
      ];
      let tried = 0;
      for (const operation of OPERATIONS) {
        const { hasBody, method, path } = operation;
        const foreign = latest[kindOf(operation)];
        const asked = (id: string, headers: Record<string, string>) =>
          call(path.replace("{id}", id).replace("{name}", "video.mp4"), {
            method,
            headers,
            ...(hasBody ? { body: bodyOf(operation) } : {})
          });
        for (const headers of asStranger) {
          const name = `${method} ${path} with ${Object.keys(headers)[0]}`;
          const answer = yield* asked(foreign, headers);
          const unknown = yield* asked(unknownLike(foreign), headers);
          assert.deepStrictEqual(told(answer, foreign), told(unknown, unknownLike(foreign)), name);
          // An API key is rejected earlier if the endpoint requires a session.
          const isSessionOnly = ["api-keys", "members"].includes(kindOf(operation)) && "x-api-key" in headers;
          assert.strictEqual(answer.status, isSessionOnly ? 401 : 404, name);
          tried += 1;
        }
      }
      assert.isAtLeast(tried, 30);
      assert.deepStrictEqual(yield* belongings(owner), before);
    })
  );

  it.effect("responds to the owner, so that the table is valid", () =>
    Effect.gen(function* () {
      const { latest, owner } = yield* owning;
      const { ask } = yield* signedIn(owner.id);
      assert.sameMembers([...new Set(OPERATIONS.map(kindOf))], Object.keys(latest));
      const reads = OPERATIONS.filter(({ method, path }) => method === "GET" && !path.includes("events"));
      for (const operation of reads) {
        const path = operation.path.replace("{id}", latest[kindOf(operation)]).replace("{name}", "video.mp4");
        assert.strictEqual((yield* ask(path)).status, 200, path);
      }
    })
  );

  it.effect("cannot be used as a schema, as if it never existed", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { latest } = yield* owning;
      const { key } = yield* account(100_000);
      for (const path of ["/v1/extractions", "/v1/extract"]) {
        const asked = (schemaId: string) => call(path, { key, body: { url: ARTICLE, schemaId } });
        const [foreign, unknown] = [yield* asked(latest.schemas), yield* asked(unknownLike(latest.schemas))];
        assert.isAtLeast(foreign.status, 400);
        assert.strictEqual(
          foreign.text.replaceAll(latest.schemas, "ID"),
          unknown.text.replaceAll(unknownLike(latest.schemas), "ID")
        );
      }
    })
  );

  it.effect("has cursors that other accounts and other lists reject", () =>
    Effect.gen(function* () {
      const { account, call } = yield* TestApp;
      const { owner } = yield* owning;
      const stranger = yield* account(0);
      const lists = Object.entries<Record<string, any>>(openApiDocument().paths)
        .filter(
          ([path, { get }]) =>
            path.startsWith("/v1/") &&
            // Has no second page without a language model; routes/results tests it.
            path !== "/v1/results" &&
            get?.parameters?.some((parameter: { readonly name: string }) => parameter.name === "cursor")
        )
        .map(([path]) => path);
      assert.lengthOf(lists, 5);
      const cursors = yield* Effect.forEach(lists, (path) =>
        Effect.map(call(`${path}?limit=1`, { key: owner.key }), ({ json }) => json.next_cursor as string)
      );
      for (const [index, path] of lists.entries()) {
        for (const [of, cursor] of cursors.entries()) {
          assert.isString(cursor, lists[of]);
          for (const { key } of [owner, stranger]) {
            const { status, json } = yield* call(`${path}?cursor=${cursor}`, { key });
            const isOwn = key === owner.key && of === index;
            assert.strictEqual(status, isOwn ? 200 : 400, `${lists[of]} in ${path}`);
            if (!isOwn) assert.strictEqual(json.error.details.param, "cursor");
          }
        }
      }
    })
  );
});
