// @module-tag long: its own servers, with every setting that holds a secret
/**
 * The whole output of a server process that is given every kind of secret contains none of them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { fakeOpenAi } from "@winnow/testing/openai/FakeOpenAiServer";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { makeCall } from "./ApiCall.ts";
import { serverProcess } from "./ServerProcess.ts";
import { newDatabase } from "./SharedPostgres.ts";
import { slowSite } from "./slowSite.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";

const TEST_MS = 360_000;

const GIVEN = {
  adminToken: "hunter2-admin-token",
  openAiKey: "sk-hunter2-openai",
  speechKey: "sk-hunter2-speech",
  cookie: "hunter2-cookie-value",
  proxyPassword: "hunter2-proxy-password",
  sessionCookie: "hunter2-session-cookie",
  bucketKeyId: "hunter2-bucket-key-id",
  bucketKey: "hunter2-bucket-key",
  bucketToken: "hunter2-bucket-token",
  stripeKey: "sk_test_hunter2stripe",
  stripeWebhookSecret: "whsec_hunter2stripe",
  oidcSecret: "hunter2-oidc-secret",
  collectorHeader: "hunter2-collector-header"
};

/** Nothing listens there. */
const NOBODY = "http://127.0.0.1:9";

const environment = Effect.gen(function* () {
  const folder = yield* temporaryFolder("secrets");
  const cookies = join(folder, "cookies.txt");
  const line = ["127.0.0.1", "FALSE", "/", "FALSE", "2147483647", "session", GIVEN.cookie].join("\t");
  writeFileSync(cookies, `# Netscape HTTP Cookie File\n${line}\n`);
  return {
    WINNOW_PORT: "0",
    WINNOW_DATA_DIR: folder,
    WINNOW_DATABASE_URL: yield* newDatabase,
    WINNOW_ADMIN_TOKEN: GIVEN.adminToken,
    OPENAI_API_KEY: GIVEN.openAiKey,
    WINNOW_SPEECH_API_KEY: GIVEN.speechKey,
    AWS_ACCESS_KEY_ID: GIVEN.bucketKeyId,
    AWS_SECRET_ACCESS_KEY: GIVEN.bucketKey,
    AWS_SESSION_TOKEN: GIVEN.bucketToken,
    STRIPE_SECRET_KEY: GIVEN.stripeKey,
    STRIPE_WEBHOOK_SECRET: GIVEN.stripeWebhookSecret,
    WINNOW_OIDC_ISSUER: NOBODY,
    WINNOW_OIDC_CLIENT_ID: "winnow",
    WINNOW_OIDC_CLIENT_SECRET: GIVEN.oidcSecret,
    OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${GIVEN.collectorHeader}`,
    WINNOW_COOKIES_FILE: cookies
  };
});

/** Sends requests to a server, and collects all responses except those meant to show a secret. */
const makeAsk = (base: string, texts: Array<string>) => {
  const call = makeCall(base);
  return Effect.fnUntraced(function* (
    path: string,
    headers: Record<string, string>,
    body?: unknown,
    options: { readonly shown?: boolean; readonly method?: string } = {}
  ) {
    const { method, shown } = options;
    const answer = yield* call(path, { headers, body, ...(method === undefined ? {} : { method }) });
    if (shown !== true) texts.push(answer.text);
    return answer;
  });
};

type Ask = ReturnType<typeof makeAsk>;

const admin = { authorization: `Bearer ${GIVEN.adminToken}` };

/** Creates an account, a key and a sign-in link; returns the secrets that must not appear again. */
const signUp = Effect.fnUntraced(function* (ask: Ask) {
  const { json: account } = yield* ask("/admin/v1/accounts", admin, { name: "Example" });
  const path = `/admin/v1/accounts/${account.id}`;
  yield* ask(`${path}/top-ups`, admin, { credits: 10_000 });
  const { json } = yield* ask(`${path}/api-keys`, admin, { name: "laptop" }, { shown: true });
  const link = yield* ask(`${path}/sign-in-links`, admin, {}, { shown: true });
  const token = new URL(link.json.url).searchParams.get("token") ?? "";
  // The page of the link has its token in a form.
  yield* ask(`/sign-in?token=${token}`, {}, undefined, { shown: true });
  const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
  for (const _ of ["redeemed", "spent"]) yield* ask("/sign-in", form, `token=${token}`);
  yield* ask(`/sign-in?token=${token}`, {});
  return { key: json.key as string, token };
});

const refusedRequests = Effect.fnUntraced(function* (ask: Ask, key: string) {
  const statuses = [
    yield* ask("/v1/extractions", { "x-api-key": `${key}x` }),
    yield* ask("/v1/extractions", { "x-api-key": key, authorization: `Bearer ${key}y` }),
    yield* ask("/v1/extractions", { cookie: `winnow_session=${GIVEN.sessionCookie}` }),
    yield* ask("/v1/extractions", { "x-api-key": key }, `{"url": "${key}`),
    yield* ask("/v1/extractions?cursor=x", { "x-api-key": key }),
    yield* ask("/admin/v1/accounts", { authorization: `Bearer ${GIVEN.adminToken}x` }, { name: "x" }),
    yield* ask("/admin/v1/accounts", admin, { name: 1 }),
    yield* ask("/v1/nothing", { "x-api-key": key }),
    yield* ask("/payments/stripe", { "stripe-signature": "t=1,v1=00" }, { type: "x" })
  ].map(({ status }) => status);
  assert.isTrue(
    statuses.every((status) => status >= 400 && status < 500),
    statuses.join(" ")
  );
});

const runToEnd = Effect.fnUntraced(function* (ask: Ask, key: string, url: string, more: object = {}) {
  const headers = { "x-api-key": key };
  const { json } = yield* ask("/v1/extractions", headers, { url, force: true, ...more });
  const isOver = ask(`/v1/extractions/${json.id}`, headers).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("1100 millis"),
      until: (answer) => ["complete", "failed"].includes(answer.json.status)
    }),
    Effect.timeout("120 seconds")
  );
  const { json: ended } = yield* isOver;
  yield* ask(`/v1/extractions/${json.id}/result`, headers);
  return ended as { readonly id: string; readonly status: string };
});

/** Forms in which a secret may appear: unchanged, in a URL, in JSON, or as bytes of Basic authentication. */
const disguises = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64").replace(/=+$/u, "")
];

const assertAbsent = (output: string, secrets: ReadonlyArray<string>): void => {
  for (const secret of secrets) {
    assert.isNotEmpty(secret);
    for (const disguise of disguises(secret)) assert.notInclude(output, disguise);
  }
};

const linesOf = (stderr: string): ReadonlyArray<Record<string, any>> =>
  stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const databasePassword = (url: string) => decodeURIComponent(new URL(url).password);

describe("a server's output", () => {
  it.live(
    "contains no secret, and consists of one JSON line per event with request and extraction when not on a terminal",
    () =>
      Effect.gen(function* () {
        const site = yield* slowSite;
        site.setSlow(false);
        const env = yield* environment;
        const model = yield* fakeOpenAi();
        const server = yield* serverProcess({
          ...env,
          WINNOW_LLM_BASE_URL: model.baseUrl,
          WINNOW_LLM_MODEL: "fake-unauthorized",
          WINNOW_LOG_LEVEL: "trace",
          WINNOW_EGRESS_ALLOW: site.host
        });
        const texts: Array<string> = [];
        const ask = makeAsk(server.url, texts);
        const { key, token } = yield* signUp(ask);
        yield* refusedRequests(ask, key);
        assert.isAtLeast((yield* ask("/sign-in/oidc", {})).status, 500);
        const hook = { url: `https://${site.host}/hook` };
        const { json: endpoint } = yield* ask("/v1/webhook-endpoints", { "x-api-key": key }, hook, {
          shown: true
        });
        const complete = yield* runToEnd(ask, key, site.pageUrl);
        assert.strictEqual(complete.status, "complete", server.stderr());
        const failed = yield* runToEnd(ask, key, `http://${site.host}/gone`);
        assert.strictEqual(failed.status, "failed");
        const schema = { type: "object", properties: { words: { type: "string" } } };
        const unread = yield* runToEnd(ask, key, site.pageUrl, { schema, inputs: ["video"] });
        assert.strictEqual(unread.status, "failed");
        assert.strictEqual(model.requests.at(-1)?.headers["authorization"], `Bearer ${GIVEN.openAiKey}`);
        const { text: metrics } = yield* ask("/metrics", {});
        assert.match(metrics, /^winnow_llm_calls_total\{[^}]*outcome="error"[^}]*\} \d/mu);
        assert.strictEqual(yield* Effect.promise(() => server.kill("SIGTERM")), 0);

        const secrets = [
          key,
          token,
          endpoint.secret as string,
          databasePassword(env.WINNOW_DATABASE_URL),
          ...Object.values(GIVEN)
        ];
        assertAbsent([server.stdout, server.stderr(), ...texts].join("\n"), secrets);
        assertAbsent(JSON.stringify(model.requests.map(({ body }) => body)), secrets);

        const lines = linesOf(server.stderr());
        for (const line of lines) {
          assert.containsAllKeys(line, ["level", "timestamp", "message"]);
        }
        const submitted = lines.find(
          ({ message, annotations }) => message === "Submitted" && annotations.extractionId === failed.id
        );
        assert.isString(submitted?.["annotations"].requestId);
        const ended = lines.find(
          ({ message, annotations }) =>
            message === "Extraction ended" && annotations.extractionId === failed.id
        );
        assert.strictEqual(ended?.["annotations"].status, "failed");
      }).pipe(Effect.scoped),
    TEST_MS
  );

  it.live(
    "contains nothing about an unreachable upstream proxy, and respects the log level",
    () =>
      Effect.gen(function* () {
        const site = yield* slowSite;
        const env = yield* environment;
        const server = yield* serverProcess({
          ...env,
          OPENAI_API_KEY: "",
          WINNOW_LOG_LEVEL: "warn",
          WINNOW_EGRESS_ALLOW: site.host,
          WINNOW_UPSTREAM_PROXY: `http://operator:${GIVEN.proxyPassword}@127.0.0.1:9`
        });
        const texts: Array<string> = [];
        const ask = makeAsk(server.url, texts);
        const { key } = yield* signUp(ask);
        yield* refusedRequests(ask, key);
        const failed = yield* runToEnd(ask, key, site.pageUrl);
        assert.strictEqual(failed.status, "failed");
        yield* ask("/metrics", {});
        assert.strictEqual(yield* Effect.promise(() => server.kill("SIGTERM")), 0);
        assertAbsent([server.stdout, server.stderr(), ...texts].join("\n"), [key, GIVEN.proxyPassword]);
        const quiet = server.stderr().trim() === "" ? [] : linesOf(server.stderr());
        assert.isEmpty(quiet.filter(({ level }) => level !== "WARN" && level !== "ERROR"));
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
