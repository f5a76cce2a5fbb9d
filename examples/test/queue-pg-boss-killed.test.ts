// @module-tag faults: servers of its own, of which one is killed and its heartbeat must be missed
/** What happens to a run on pg-boss whose process is killed. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Winnow } from "@winnow/client";
import { assert, it, onTestFinished, vi } from "vitest";
import { createAccount } from "../demo/server.ts";
import { startGatedSite } from "./GatedSite.ts";
import { newFolder } from "./newFolder.ts";
import { newDatabaseUrl } from "./SharedServer.ts";
import { addressOf, startExample, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

it("a run whose process was killed is completed by another one, and debited once", async () => {
  const folder = await newFolder("pg-boss-killed");
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await using site = await startGatedSite();
  const adminToken = `wna_${randomBytes(24).toString("base64url")}`;
  const settings = {
    WINNOW_DATABASE_URL: (await newDatabaseUrl()) ?? assert.fail("there is no database"),
    WINNOW_ADMIN_TOKEN: adminToken,
    WINNOW_EGRESS_ALLOW: "127.0.0.1",
    WINNOW_PORT: "0"
  };
  const server = (name: string) =>
    startExample("queue-pg-boss/server.ts", [], { ...settings, WINNOW_DATA_DIR: path.join(folder, name) });
  await using first = server("first");
  const { apiKey } = await createAccount({ url: await addressOf(first), adminToken }, 1_000);
  site.hold();
  const submitted = new Winnow({ apiKey, baseUrl: await addressOf(first) });
  const { id } = await submitted.submit({ url: `${site.url}/article` });
  const fetching = Promise.withResolvers<void>();
  const cut = submitted.extractions.wait(id, {
    onProgress: ({ phase }) => phase === "processing" && fetching.resolve()
  });
  cut.catch(() => undefined);
  await fetching.promise;
  await using second = server("second");
  const winnow = new Winnow({ apiKey, baseUrl: await addressOf(second) });
  first.stop("SIGKILL");
  await first.ended;
  site.release();
  const result = await winnow.extractions.wait(id);
  assert.strictEqual(result.status, "complete");
  const { data } = await winnow.ledger.page();
  assert.strictEqual(data.filter(({ kind }) => kind === "debit").length, 1);
});
