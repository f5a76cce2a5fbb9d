// @module-tag long
/** A compromised yt-dlp that puts links and other things in place of the files of its run. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, layer } from "@effect/vitest";
import { Downloader, type FetchedFile } from "@winnow/core/ports/Downloader";
import type { Modality } from "@winnow/core/domain/source/Modality";
import { fixedRoutes, plainRoute } from "../../../src/sources/ways/SourceRoute.ts";
import * as Effect from "effect/Effect";
import { examineSandbox } from "@winnow/isolation/sandbox/Sandbox";
import { contentOf, downloaderOf, openSite, runFolders, temporaryFolder, until } from "../harness.ts";

const ROGUE_PLUGINS = fileURLToPath(new URL("./ytdlp-plugins", import.meta.url));

const report = await examineSandbox();
const site = await openSite();

/** Marks the cookies of the operator. */
const SESSION = "operator-session-8d1e";

const openPlaces = () => {
  const folder = temporaryFolder();
  const outside = join(folder, "outside");
  const workDir = join(folder, "work");
  const cookiesFile = join(folder, "cookies");
  for (const each of [outside, workDir]) mkdirSync(each);
  // A video that a link could pass off as the run's own, and an answer that would be accepted.
  copyFileSync(join(site.folder, "talk.mp4"), join(outside, "video.mp4"));
  writeFileSync(join(outside, "answer.json"), '{"ok": true, "info": null}');
  const line = ["127.0.0.1", "FALSE", "/", "FALSE", "0", "session", SESSION].join("\t");
  writeFileSync(cookiesFile, `# Netscape HTTP Cookie File\n${line}\n`, { mode: 0o600 });
  return { outside, workDir, cookiesFile };
};

type Places = ReturnType<typeof openPlaces>;

const contentsOf = ({ outside, cookiesFile }: Places): ReadonlyArray<string> => [
  readFileSync(cookiesFile, "latin1"),
  ...readdirSync(outside).flatMap((name) => [name, readFileSync(join(outside, name), "latin1")])
];

/** Fetches with a yt-dlp that plants something instead of downloading, or before. */
const fetched = (plant: string, { outside }: Places, wants: ReadonlyArray<Modality>) =>
  Effect.scoped(
    Downloader.use(({ fetch }) =>
      fetch({
        url: `${site.url}/rogue/download?${new URLSearchParams({ plant, outside }).toString()}`,
        maxDurationSeconds: 3_600,
        wantsOf: () => wants
      })
    ).pipe(Effect.map(({ files }) => files.map((file: FetchedFile) => [file.name, contentOf(file)] as const)))
  );

for (const sandbox of report.works ? (["required", "off"] as const) : (["off"] as const)) {
  const places = openPlaces();
  const before = contentsOf(places);
  // One for all: what is planted in one run reaches no later one either.
  const downloader = downloaderOf(site, places.workDir, {
    sandbox,
    routes: fixedRoutes(plainRoute(places.cookiesFile)),
    ytDlpArgs: ["--plugin-dirs", ROGUE_PLUGINS]
  });

  layer(downloader, { excludeTestServices: true })(
    `A rogue in the folder of a run, sandbox ${sandbox}`,
    (it) => {
      it.effect("cannot make the server write through links to the names it writes", () =>
        Effect.gen(function* () {
          const files = yield* fetched("names", places, ["video", "audio", "transcript"]);
          const names = files.map(([name]) => name);
          for (const name of ["video.mp4", "audio.m4a", "subtitles.en.vtt", "thumbnail.jpg"])
            assert.include(names, name);
          for (const [name, content] of files) assert.notInclude(String(content), SESSION, name);
          assert.deepStrictEqual(contentsOf(places), before);
          yield* until(() => runFolders(places.workDir).length === 0);
        })
      );

      const everywhere = ["link", "hard_link", "answer"];
      // The sandbox makes no difference to these.
      const others = ["fifo", "folder", "socket", "sparse", "answer_fifo"];
      const planted = sandbox === "off" && report.works ? everywhere : [...everywhere, ...others];
      it.effect.each(planted)(
        "fails its own run, and nothing else, with this in place of a file that the server reads: %s",
        (plant) =>
          Effect.gen(function* () {
            const failure = yield* Effect.flip(fetched(plant, places, ["video"]));
            assert.strictEqual(failure._tag, "Failed");
            assert.deepStrictEqual(contentsOf(places), before);
            yield* until(() => runFolders(places.workDir).length === 0);
          })
      );
    }
  );
}
