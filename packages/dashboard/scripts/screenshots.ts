/**
 * Pictures of the web app, from a real server and sites under names that belong to nobody (pictures/):
 *
 *   node packages/dashboard/scripts/screenshots.ts [FOLDER]
 *
 * Those of README and docs go to docs/images, small. With FOLDER, every screen goes there, in light and dark, wide and
 * at 320 pixels, in two minutes. Where something cannot be clicked, that is said, and the exit code is 1.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { followLink, openBrowser } from "../test/Driven.ts";
import { openStage, type Stage } from "../test/Stage.ts";
import { HOSTS, startExampleSite } from "./pictures/exampleSite.ts";
import { shotsOf, type Shot } from "./pictures/shots.ts";
import { seed } from "./pictures/seed.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../docs/images");
const SETTLE_MS = 700;
const REPAINT_MS = 200;
const ACT_TIMEOUT_MS = 15_000;

/** The name under which the pictures show the server. */
const PUBLIC_URL = "http://winnow.example";

const HEIGHT = 900;
const WIDTHS = [1_280, 320];

const ffmpeg = (...args: ReadonlyArray<string>) =>
  promisify(execFile)(process.env["WINNOW_FFMPEG"] ?? "ffmpeg", ["-loglevel", "error", "-y", ...args]);

/** An edge, because the head of the app is as white as most pages that show it. */
const EDGE = "drawbox=c=0xd9d5cb:t=2";

/** A third of the size: few colours, which is what a screen has. */
const FEW_COLOURS = "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none";

const saveSmall = async (png: Buffer, file: string): Promise<void> => {
  await writeFile(`${file}.whole.png`, png);
  await ffmpeg("-i", `${file}.whole.png`, "-vf", `${EDGE},${FEW_COLOURS}`, file);
  await rm(`${file}.whole.png`);
};

const TOUR_FRAME_SECONDS = 3;
const TOUR_WIDTH = 960;

/** The pictures one after the other, as README shows them. */
const saveTour = async (frames: ReadonlyArray<Buffer>, file: string): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-tour-"));
  await Promise.all(frames.map((frame, index) => writeFile(path.join(folder, `${index}.png`), frame)));
  const scaled = `scale=${TOUR_WIDTH}:-1:flags=lanczos,${EDGE},${FEW_COLOURS}`;
  const input = ["-framerate", `1/${TOUR_FRAME_SECONDS}`, "-i", path.join(folder, "%d.png")];
  await ffmpeg(...input, "-vf", scaled, "-loop", "0", file);
  await rm(folder, { recursive: true });
};

/** Lines out of sight are not drawn, and a head that sticks stands where the page was scrolled to: so, a long window. */
const showWhole = async (page: Page, width: number): Promise<void> => {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height });
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(SETTLE_MS / 3);
};

type Scheme = "light" | "dark";

/** If what should be done on the screen fails, the screen is shown as it is then. */
const open = async (page: Page, { name, screen, act }: Shot, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.goto(`${PUBLIC_URL}/app/${screen}`);
  await page.waitForSelector("h1");
  await act?.(page).catch((error: unknown) => {
    console.error(`${name}, ${width} px: ${String(error)}`);
    process.exitCode = 1;
  });
  await page.waitForTimeout(SETTLE_MS);
};

/** A change of the theme needs no other page. */
const pictureIn = async (page: Page, colorScheme: Scheme): Promise<Buffer> => {
  await page.emulateMedia({ colorScheme });
  await page.waitForTimeout(REPAINT_MS);
  return page.screenshot();
};

const takeOfDocs = async (page: Page, shot: Shot, tour: Array<Buffer>): Promise<void> => {
  if (shot.docs !== undefined)
    await saveSmall(await pictureIn(page, shot.docs), path.join(DOCS, `web-app-${shot.name}.png`));
  if (shot.isOfTour === true) tour.push(await pictureIn(page, "light"));
};

const takeAll = async (page: Page, shots: ReadonlyArray<Shot>, folder: string | undefined): Promise<void> => {
  const tour: Array<Buffer> = [];
  for (const shot of shots) {
    const isOfDocs = shot.docs !== undefined || shot.isOfTour === true;
    for (const width of folder === undefined && !isOfDocs ? [] : WIDTHS) {
      const isWide = width === WIDTHS[0];
      if (folder === undefined && !isWide) continue;
      await open(page, shot, width);
      if (isWide) await takeOfDocs(page, shot, tour);
      if (folder === undefined) continue;
      if (!isWide) await showWhole(page, width);
      for (const scheme of ["light", "dark"] as const)
        await writeFile(
          path.join(folder, `${shot.name}-${scheme}-${width}.png`),
          await pictureIn(page, scheme)
        );
    }
  }
  await saveTour(tour, path.join(DOCS, "tour.gif"));
};

const openExampleSite = async () => {
  await using drawing = await openBrowser();
  return await startExampleSite(await drawing.page(await drawing.context()));
};

/** The browser finds the server by its public name. */
const openAppBrowser = async ({ server }: Stage) => {
  const { host } = new URL(server.url);
  return openBrowser({ args: [`--host-resolver-rules=MAP ${new URL(PUBLIC_URL).hostname} ${host}`] });
};

const folder = process.argv[2];
await using site = await openExampleSite();
await using stage = await openStage({
  hosts: HOSTS,
  imports: [new URL("pictures/exampleHosts.ts", import.meta.url).href],
  authority: site.authority,
  env: {
    EXAMPLE_SITE_PORT: String(site.port),
    WINNOW_PUBLIC_URL: PUBLIC_URL,
    WINNOW_LLM_MODEL: "example-model",
    // Python's list of authorities is not ours to change.
    WINNOW_YTDLP_ARGS: "--no-check-certificates"
  }
});
await using driven = await openAppBrowser(stage);
const seeded = await seed(stage);
const context = await driven.context();
context.setDefaultTimeout(ACT_TIMEOUT_MS);
const page = await driven.page(context);
await followLink(page, await stage.signInUrl());
await page.waitForSelector("h1");
await mkdir(DOCS, { recursive: true });
if (folder !== undefined) await mkdir(folder, { recursive: true });
await takeAll(page, shotsOf(stage, seeded), folder);
