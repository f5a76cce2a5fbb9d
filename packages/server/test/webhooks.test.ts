// @module-tag long: its own server, which trusts the receiver's authority (NODE_EXTRA_CA_CERTS)
/** Webhooks of the real program: real TLS and the real command line. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { assert, describe, it } from "@effect/vitest";
import { verifyWebhook } from "@winnow/client/webhooks";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { makeCall } from "./ApiCall.ts";
import { hookReceiver, makeAuthority, type Hook } from "./HookReceiver.ts";
import { firstKey, NO_MEDIA, serverProcess, type ServerProcess } from "./ServerProcess.ts";
import { temporaryFolder } from "./TemporaryFolder.ts";
import { BIN } from "./WinnowLauncher.ts";
import { winnow } from "./WinnowProgram.ts";

const PAGE = `<!doctype html><html lang="en"><head><title>On hooks</title></head><body><article>
<h1>On hooks</h1>${"<p>A hook hangs where it is hung, and whoever passes may use it.</p>".repeat(20)}
</article></body></html>`;

/** An HTTP server on loopback, and the requests it received. */
const httpServer = (answer: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const hooks: Array<Hook> = [];
      const server = createServer(async (request, response) => {
        hooks.push({ headers: request.headers, body: await buffer(request) });
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(answer);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { server, hooks, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      })
  );

/** The JSON that `winnow webhook …` prints, whatever its exit code. */
const webhook = Effect.fnUntraced(function* (folder: string, ...args: ReadonlyArray<string>) {
  const { stdout, stderr } = yield* winnow(["webhook", ...args, "--json"], { WINNOW_DATA_DIR: folder });
  return stdout === "" ? yield* Effect.die(new Error(stderr)) : (JSON.parse(stdout) as any);
});

const listening = (args: ReadonlyArray<string>, folder: string) =>
  Effect.acquireRelease(
    Effect.callback<{ kill: () => void; stdout: () => string; secret: string }>((resume) => {
      const child = spawn(process.execPath, [BIN, "webhook", "listen", ...args], {
        env: { ...process.env, WINNOW_DATA_DIR: folder },
        stdio: ["ignore", "pipe", "pipe"]
      });
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
        const secret = /whsec_\S+/u.exec(stderr)?.[0];
        if (secret === undefined || !stderr.includes("Listening")) return;
        resume(Effect.succeed({ kill: () => void child.kill("SIGKILL"), stdout: () => stdout, secret }));
      });
      child.once("exit", () => resume(Effect.die(new Error(stderr))));
    }),
    (listener) => Effect.sync(listener.kill)
  );

const verified = ({ headers, body }: Hook, secret: string) =>
  Effect.promise(async (): Promise<any> => verifyWebhook({ payload: body, headers, secret }));

/** Extracts the page and returns the result. */
const run = Effect.fnUntraced(function* (server: ServerProcess, key: string, url: string) {
  const call = makeCall(server.url);
  const { json } = yield* call("/v1/extractions", { key, body: { url, force: true } });
  const result = yield* call(`/v1/extractions/${json.id}/result`, { key }).pipe(
    Effect.repeat({ schedule: Schedule.spaced("1200 millis"), until: ({ status }) => status === 200 })
  );
  return result.json;
});

const TEST_MS = 360_000;

const until = (condition: () => boolean) =>
  Effect.sync(condition).pipe(
    Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: (done) => done }),
    Effect.timeout("120 seconds")
  );

/** Waits for the first attempt to fail; the next is due in half a minute, unless it is triggered. */
const untilFailed = (server: ServerProcess, key: string) =>
  makeCall(server.url)("/v1/webhook-deliveries?status=pending", { key }).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("1200 millis"),
      until: ({ json }) => json.data?.[0]?.attemptCount >= 1
    }),
    Effect.timeout("120 seconds")
  );

describe("webhooks of a real server", () => {
  it.live(
    "are signed over TLS, can be resent, and are passed on by a terminal",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder("webhooks");
        const authorityFile = join(folder, "authority.pem");
        const authority = yield* Effect.promise(makeAuthority);
        writeFileSync(authorityFile, authority.cert);
        const receiver = yield* hookReceiver(authority);
        const site = yield* httpServer(PAGE);
        const terminal = yield* httpServer("thank you");
        const env = {
          ...NO_MEDIA,
          WINNOW_DATA_DIR: folder,
          WINNOW_PORT: "0",
          WINNOW_EGRESS_ALLOW: `${receiver.host},${site.host}`,
          NODE_EXTRA_CA_CERTS: authorityFile
        };
        const server = yield* serverProcess(env);
        const key = firstKey(folder);
        const account = /acc_\w+/u.exec(server.stdout)?.[0] ?? "";

        const { id, secret } = yield* webhook(folder, "add", account, receiver.url);
        assert.deepStrictEqual((yield* webhook(folder, "list", account))[0].url, receiver.url);
        const test = yield* webhook(folder, "test", account, id);
        assert.deepInclude(test, { event: "test", status: "delivered", attemptCount: 1 });
        assert.strictEqual((yield* verified(receiver.hooks[0]!, secret)).data.endpointId, id);

        const listener = yield* listening(
          [account, "--forward-to", `http://${terminal.host}/hook`, "--url", server.url],
          folder
        );
        receiver.answer(503);
        const result = yield* run(server, key, `http://${site.host}/page`);
        assert.strictEqual(result.status, "complete");
        yield* until(() => receiver.hooks.length >= 2);
        yield* untilFailed(server, key);
        const [delivery] = yield* webhook(folder, "deliveries", account, "--status", "pending");
        assert.deepInclude(delivery, { extractionId: result.id, endpointId: id });

        receiver.answer(204);
        yield* webhook(folder, "redeliver", account, delivery.id);
        yield* until(() => receiver.hooks.length >= 3);
        const [, failed, taken] = receiver.hooks;
        assert.deepStrictEqual(taken!.body, failed!.body);
        assert.deepStrictEqual(yield* verified(taken!, secret), {
          event: "extraction.completed",
          data: result
        });
        assert.strictEqual(taken!.headers["x-service-delivery"], delivery.id);

        yield* until(() => terminal.hooks.length === 1);
        assert.deepStrictEqual((yield* verified(terminal.hooks[0]!, listener.secret)).data, result);
        yield* until(() => /200 in \d+ ms\n$/u.test(listener.stdout()));
      }).pipe(Effect.scoped),
    TEST_MS
  );
});
