// @module-tag long
/**
 * `winnow check --data` next to a running server: every kind of inconsistency is created, detected, and repaired if
 * the command promises to.
 */
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { Client } from "pg";
import type { Finding } from "../../src/cli/doctor.ts";
import { makeCall } from "../ApiCall.ts";
import { serverProcess } from "../ServerProcess.ts";
import { newDatabase } from "../SharedPostgres.ts";
import { slowSite } from "../slowSite.ts";
import { temporaryFolder } from "../TemporaryFolder.ts";
import { winnow } from "../WinnowProgram.ts";

const TOKEN = "admin-of-check";

/** Names of findings about stored data, except those with an underscore. */
const KINDS = new Set(["balance", "ledger", "charge", "slots", "waiting", "ending", "data"]);

/** Runs SQL directly, without the triggers that protect the ledger. */
const planting = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ connectionString: url });
        await client.connect();
        await client.query("alter table winnow.ledger disable trigger user");
        return client;
      }),
      (client) => Effect.promise(() => client.end())
    ),
    (client) =>
      (sql: string, ...values: ReadonlyArray<string>) =>
        Effect.promise(() => client.query(sql, [...values]))
  );

describe("winnow check --data", () => {
  it.live(
    "finds inconsistencies, repairs counts and orphaned files, and never changes money",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder("check");
        const site = yield* slowSite;
        site.setSlow(false);
        const url = yield* newDatabase;
        const env = {
          WINNOW_DATABASE_URL: url,
          WINNOW_DATA_DIR: join(folder, "data"),
          WINNOW_PORT: "0",
          WINNOW_ADMIN_TOKEN: TOKEN,
          WINNOW_EGRESS_ALLOW: site.host,
          WINNOW_MIN_FREE_BYTES: "0"
        };
        const check = (...flags: ReadonlyArray<string>) =>
          Effect.map(winnow(["check", "--data", "--json", ...flags], env), ({ code, stdout, stderr }) => {
            const findings = JSON.parse(stdout || "[]") as ReadonlyArray<Finding>;
            const kept = findings.filter(({ name }) => name.includes("_") || KINDS.has(name));
            return { code, stderr, kept };
          });
        const untouched = yield* check();
        assert.deepStrictEqual([untouched.code, untouched.kept.map(({ state }) => state)], [0, ["ok"]]);

        const server = yield* serverProcess(env);
        const call = makeCall(server.url);
        const admin = { authorization: `Bearer ${TOKEN}` };
        const account = (yield* call("/admin/v1/accounts", { headers: admin, body: { name: "Checked" } }))
          .json;
        const own = `/admin/v1/accounts/${account.id}`;
        yield* call(`${own}/top-ups`, { headers: admin, body: { credits: 10_000 } });
        const { key } = (yield* call(`${own}/api-keys`, { headers: admin, body: {} })).json;
        const ids: Array<string> = [];
        for (const language of ["en", "de", "fr"]) {
          const made = yield* call("/v1/extractions", { key, body: { url: site.pageUrl, language } });
          assert.strictEqual(made.status, 201, made.text);
          ids.push(made.json.id);
        }
        for (const id of ids) {
          const { json } = yield* call(`/v1/extractions/${id}`, { key }).pipe(
            Effect.repeat({
              schedule: Schedule.spaced("1500 millis"),
              until: ({ json }) => json.phase === "done" || json.phase === "failed"
            })
          );
          assert.strictEqual(json.status, "complete", JSON.stringify(json));
        }
        const whole = yield* check();
        assert.deepStrictEqual([whole.code, whole.kept.map(({ state }) => state)], [0, ["ok"]], whole.stderr);

        const [charged = "", endless = "", fileless = ""] = ids;
        const artifacts = join(folder, "data", "artifacts");
        const plant = yield* planting(url);
        yield* plant("update winnow.account set slots_used = 1, waiting_count = 3 where id = $1", account.id);
        yield* plant(
          "update winnow.extraction set credits_debited = credits_debited + 5 where id = $1",
          charged
        );
        yield* plant("update winnow.extraction set result = null where id = $1", endless);
        yield* plant(
          "update winnow.ledger set balance_after = 1 where id = (select max(id) from winnow.ledger where account_id = $1)",
          account.id
        );
        yield* plant("update winnow.account set balance = balance + 7 where id = $1", account.id);
        rmSync(join(artifacts, fileless, "1", "video.mp4"));
        truncateSync(join(artifacts, fileless, "1", "metadata.json"), 3);
        const nobodys = join(artifacts, "ext_nobody", "1");
        mkdirSync(nobodys, { recursive: true });
        writeFileSync(join(nobodys, "video.mp4"), "video");

        const found = yield* check();
        assert.strictEqual(found.code, 1);
        const about = (kind: string) =>
          found.kept.filter(({ name }) => name === kind).map(({ detail }) => detail);
        const single = (kind: string, ...words: ReadonlyArray<string>) => {
          assert.lengthOf(about(kind), 1, kind);
          for (const word of words) assert.include(about(kind)[0], word);
        };
        single("slots", account.id, "counts 1 used slots, but its runs use 0");
        single("waiting", account.id, "counts 3 waiting runs, but there are 0");
        single("charge", charged);
        single("ending", endless, "complete without a result");
        single("ledger", account.id, "its entry says 1");
        single("balance", account.id);
        assert.lengthOf(about("missing_file"), 2);
        for (const detail of about("missing_file"))
          assert.match(detail, /video\.mp4.*is missing|metadata\.json.*has 3 bytes/u);
        // Files of the run without a result are reported until the sweeper has examined them.
        const unnamed = about("unnamed_file").map((detail) => detail.split(":")[0]);
        assert.include(unnamed, "ext_nobody/1");
        assert.includeMembers(["ext_nobody/1", `${endless}/1`], unnamed);
        for (const { name, remedy } of found.kept) assert.isNotEmpty(remedy, name);

        assert.strictEqual((yield* check("--repair")).code, 1);
        const left = yield* check();
        assert.sameMembers(
          [...new Set(left.kept.map(({ name }) => name))],
          ["balance", "charge", "ending", "ledger", "missing_file"]
        );
        yield* Effect.sync(() => existsSync(nobodys)).pipe(
          Effect.repeat({ schedule: Schedule.spaced("500 millis"), until: (isThere) => !isThere }),
          Effect.timeout("150 seconds")
        );
        const again = yield* call("/v1/extractions", { key, body: { url: site.pageUrl, force: true } });
        assert.deepStrictEqual([again.status, again.json.status], [201, "pending"]);
        assert.strictEqual((yield* winnow(["check", "--repair"], env)).code, 1);
      }).pipe(Effect.scoped),
    600_000
  );
});
