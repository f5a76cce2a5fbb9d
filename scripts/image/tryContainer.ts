/**
 * Tests what a container must do: start, become healthy, have all programs, extract a page with a video, stop on
 * request.
 */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { execInside, startInside, type InImage } from "./rootFolder.ts";

interface Container extends InImage {
  readonly healthCheck: ReadonlyArray<string>;
  readonly command: ReadonlyArray<string>;
  readonly volumes: ReadonlyArray<string>;
}

/** Serves a page with a two-second video, made by the image's ffmpeg, and prints its URL. */
const SITE = `
  const { execFileSync } = require("node:child_process");
  const { readFileSync } = require("node:fs");
  const film = "/tmp/film.mp4";
  const made = ["-f", "lavfi", "-i", "testsrc=duration=2:size=320x180:rate=10", "-f", "lavfi", "-i", "sine=duration=2"];
  execFileSync("ffmpeg", ["-loglevel", "error", "-y", ...made, "-pix_fmt", "yuv420p", "-shortest", film]);
  const bytes = readFileSync(film);
  const page = '<!doctype html><title>A film</title><h1>A film</h1><video src="/film.mp4"></video>';
  require("node:http").createServer((request, response) => {
    const isFilm = request.url === "/film.mp4";
    response.setHeader("content-type", isFilm ? "video/mp4" : "text/html");
    response.end(isFilm ? bytes : page);
  }).listen(8000, "127.0.0.1", () => console.log("up"));
`;

/** Submits the page, waits for its end, and returns the extraction with the names and sizes of its files. */
const EXTRACT = `
  const [url, key] = process.argv.slice(1);
  const at = "http://127.0.0.1:8787/v1/extractions";
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ url, parts: ["video"] });
  const made = await (await fetch(at, { method: "POST", headers, body })).json();
  for (;;) {
    const run = await (await fetch(at + "/" + made.id, { headers })).json();
    if (made.id === undefined || run.phase === "done" || run.phase === "failed") {
      const files = {};
      for (const name of ["video.mp4", "metadata.json"])
        files[name] = (await (await fetch(at + "/" + made.id + "/files/" + name, { headers })).arrayBuffer()).byteLength;
      console.log(JSON.stringify({ made, run, files }));
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
`;

/** Process id, on this machine, of the first process inside: the only child of \`unshare\`. */
const firstInside = ({ pid = 0 }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);

/** Resolves with its output once that matches. */
const printed = (child: ChildProcess, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let collected = "";
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding("utf8").on("data", (text: string) => {
        collected += text;
        if (pattern.test(collected)) resolve(collected);
      });
    }
    child.once("close", (code) => reject(new Error(`It ended with ${code}:\n${collected}`)));
  });

/** The volume as created by an engine: with the owner and mode of the folder in the image. */
const volumeAt = (container: Container, volumes: string, place: string): string => {
  const { gid, mode, uid } = statSync(path.join(container.root, place));
  const folder = path.join(volumes, place);
  mkdirSync(folder, { recursive: true, mode });
  chownSync(folder, uid, gid);
  return folder;
};

export const tryContainer = async (image: Container, volumes: string): Promise<void> => {
  // The page is on loopback, which a server does not allow by default.
  const container = { ...image, env: { ...image.env, WINNOW_EGRESS_ALLOW: "127.0.0.1" } };
  const writable = Object.fromEntries(
    container.volumes.map((place) => [place, volumeAt(container, volumes, place)])
  );
  const server = startInside(container, container.command, writable);
  const ended = new Promise<number | null>((resolve) => server.once("close", resolve));
  try {
    const printedText = await printed(server, /listening on /u);
    console.log(printedText);
    const pid = firstInside(server);
    const exec = (...words: ReadonlyArray<string>) => {
      const done = execInside(pid, container, words);
      console.log(`\n$ ${words.join(" ").slice(0, 80)}\n${done.stdout}${done.stderr}`);
      return done;
    };
    assert.equal(exec(...container.healthCheck).status, 0, "the health check fails");
    const doctor = exec("node", "packages/server/bin/winnow.mjs", "doctor", "--json");
    assert.equal(doctor.status, 0, "doctor misses something");
    const findings = JSON.parse(doctor.stdout) as ReadonlyArray<{
      readonly name: string;
      readonly state: string;
    }>;
    for (const name of ["gallery-dl", "ffmpeg", "sandbox", "database"])
      assert.equal(findings.find((finding) => finding.name === name)?.state, "ok", name);
    exec(
      "sh",
      "-c",
      'node --eval "$1" > /tmp/site.log 2>&1 & until grep -qx up /tmp/site.log; do sleep 0.2; done',
      "sh",
      SITE
    );
    const keyFile = /API key[^:]*: +(\S+)/u.exec(printedText)?.[1] ?? "";
    const key = readFileSync(path.join(volumes, keyFile), "utf8").trim();
    const extracted = exec(
      "node",
      "--input-type=module",
      "--eval",
      EXTRACT,
      "http://127.0.0.1:8000/film",
      key
    );
    const { files, run } = JSON.parse(extracted.stdout);
    assert.equal(run.status, "complete", extracted.stdout);
    assert.ok(files["video.mp4"] > 1_000, extracted.stdout);
    const printedAtMs = performance.now();
    process.kill(pid, "SIGTERM");
    assert.equal(await ended, 0, "it did not leave with 0");
    console.log(
      `\nIt stopped within ${Math.ceil((performance.now() - printedAtMs) / 1_000)} s and exited with 0.`
    );
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
};
