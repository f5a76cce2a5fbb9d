// @module-tag faults: two servers behind nginx are replaced while requests come
import { rm } from "node:fs/promises";
import path from "node:path";
import { assert, describe, it, vi } from "vitest";
import { newFolder } from "./newFolder.ts";
import { NO_NGINX, startNginx } from "./Nginx.ts";
import { newDatabaseUrl, startSharedServer } from "./SharedServer.ts";
import { nextPort, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

describe("docs/deploy/nginx.conf", () => {
  it.skipIf(NO_NGINX)(
    "loses no request while two processes are replaced one by one (skipped without nginx)",
    async () => {
      const folder = await newFolder("rolling");
      const database = await newDatabaseUrl();
      const start = (port: number) =>
        startSharedServer(database, path.join(folder, String(port)), "", {
          WINNOW_PORT: String(port),
          WINNOW_ROLE: "api",
          WINNOW_ARTIFACTS_URL: `file:${folder}/artifacts`
        });
      const ports = [nextPort(), nextPort()];
      const servers = await Promise.all(ports.map(start));
      await using proxy = await startNginx(...servers.map(({ url }) => url));
      const answers: Array<string> = [];
      const replaced = new AbortController();
      const ask = async (path: string, method: string) => {
        while (!replaced.signal.aborted) {
          const answer = await fetch(`${proxy.url}${path}`, { method });
          await answer.text();
          answers.push(`${method} ${path} ${answer.status}`);
        }
      };
      const asking = [ask("/healthz", "GET"), ask("/v1/account", "GET"), ask("/v1/extractions", "POST")];
      try {
        // nginx then has connections to both.
        await vi.waitUntil(() => answers.length > 50, { timeout: 60_000 });
        for (const [index, port] of ports.entries()) {
          await servers[index]?.[Symbol.asyncDispose]();
          servers[index] = await start(port);
        }
      } finally {
        replaced.abort();
        await Promise.allSettled(asking);
        for (const server of servers) await server[Symbol.asyncDispose]();
        await rm(folder, { recursive: true, force: true });
      }
      await Promise.all(asking);
      assert.isAbove(answers.length, 50);
      // Without a key.
      const wanted = ["GET /healthz 200", "GET /v1/account 401", "POST /v1/extractions 401"];
      assert.deepStrictEqual([...new Set(answers)].toSorted(), wanted);
    }
  );
});
