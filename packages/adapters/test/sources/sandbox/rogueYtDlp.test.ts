// @module-tag smoke: rogues with and without the sandbox
/** A compromised yt-dlp in a child of the fork server: it reaches no other run, and cannot end any. */
import { fileURLToPath } from "node:url";
import { assert, layer } from "@effect/vitest";
import { Downloader } from "@winnow/core/ports/Downloader";
import { CurrentRun, runFor } from "@winnow/core/ports/CurrentRun";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { examineSandbox } from "@winnow/isolation/sandbox/Sandbox";
import { downloaderOf, openSite, PLUGINS, serversIn, temporaryFolder, until } from "../harness.ts";

/** In `npm run test:faults`; otherwise less is tried without the sandbox. */
const isWhole = process.env["WINNOW_TEST_FAULTS"] !== undefined;

const ROGUE_PLUGINS = fileURLToPath(new URL("./ytdlp-plugins", import.meta.url));

const report = await examineSandbox();
const SKIPPED = report.works ? "" : ` (skipped: ${report.problem})`;

const site = await openSite();

const inspect = (path: string, accountId: string) =>
  Downloader.use((downloader) => downloader.inspect(site.url + path, {})).pipe(
    Effect.provideService(CurrentRun, runFor(accountId))
  );

const resultsOf = (path: string) =>
  Effect.map(inspect(path, "acc_rogue"), ({ description }) => JSON.parse(description ?? "{}"));

for (const sandbox of report.works ? (["required", "off"] as const) : (["off"] as const)) {
  const workDir = temporaryFolder();
  // One fork server for all: no deed harms those after it.
  const downloader = downloaderOf(site, workDir, {
    sandbox,
    ytDlpArgs: ["--plugin-dirs", ROGUE_PLUGINS, "--plugin-dirs", PLUGINS]
  });

  layer(downloader, { excludeTestServices: true })(`A child of the fork server, sandbox ${sandbox}`, (it) => {
    const isMain = isWhole || sandbox === "required" || !report.works;
    for (const deed of isMain ? (["forge", "flood"] as const) : (["forge"] as const)) {
      it.effect(`cannot end, delay or answer the requests of others: ${deed}`, () =>
        Effect.gen(function* () {
          const rogue = yield* Effect.forkChild(resultsOf(`/rogue/${deed}`));
          yield* until(() => serversIn(workDir).length > 0);
          for (let number = 0; number < 4; number += 1) {
            const facts = yield* inspect(`/fx/video?${deed}=${number}`, "acc_victim");
            assert.strictEqual(facts.kind, "video");
          }
          assert.isUndefined(rogue.pollUnsafe(), "it ended before the others");
          const results = yield* Fiber.join(rogue);
          assert.deepStrictEqual(results, deed === "forge" ? { held: 1 } : {});
        })
      );
    }

    it.effect.each(isMain ? ["close", "leave_open"] : [])(
      "ends by itself, whatever becomes of its pipe: %s",
      (deed) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* resultsOf(`/rogue/${deed}`), {});
        })
    );

    it.effect.skipIf(!isMain)("is ended on cancellation whatever it does, and the fork server stays", () =>
      Effect.gen(function* () {
        yield* inspect("/fx/video", "acc_victim");
        const rogue = yield* Effect.forkChild(inspect("/rogue/evade", "acc_rogue"));
        const before = serversIn(workDir);
        yield* Effect.sleep("2 seconds");
        yield* Fiber.interrupt(rogue);
        yield* inspect("/fx/video?after", "acc_victim");
        assert.lengthOf(before, 1);
        assert.deepStrictEqual(serversIn(workDir), before);
      })
    );

    if (sandbox === "required" || !report.works) {
      it.effect.skipIf(!report.works)(
        `gets neither namespaces nor settings of the kernel, and cannot raise its limits${SKIPPED}`,
        () =>
          Effect.gen(function* () {
            const results: Readonly<Record<string, boolean>> = yield* resultsOf("/rogue/escape");
            assert.isNotEmpty(results);
            assert.deepStrictEqual(
              Object.keys(results).filter((name) => results[name]),
              []
            );
          })
      );
    }
  });
}
