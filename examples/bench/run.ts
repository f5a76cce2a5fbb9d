/**
 * A download-only run of the HLS talk, all parts, from submit to complete on a real server, against the
 * five yt-dlp commands a person would type for the same files. Budget: 0.4x.
 *
 *   npm run node -- examples/bench/run.ts [ROUNDS]
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Winnow } from "@winnow/client";
import { createAccount, startServer, type DemoServer } from "../demo/server.ts";
import { startSite } from "../site/site.ts";

const exec = promisify(execFile);

const ROUNDS = Number(process.argv[2] ?? 5);
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

const COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ["-J"],
  ["-f", "bv+ba/b"],
  ["-x", "--audio-format", "m4a"],
  ["--write-subs", "--sub-langs", "all", "--skip-download"],
  ["--write-thumbnail", "--skip-download"]
];

const typed = async (url: string, folder: string): Promise<number> => {
  const startedMs = performance.now();
  for (const [index, args] of COMMANDS.entries()) {
    await exec("yt-dlp", [...args, "-o", `${index}.%(ext)s`, url], {
      cwd: folder,
      maxBuffer: OUTPUT_BYTES_MAX
    });
  }
  return performance.now() - startedMs;
};

/** A new account each time, because of the limit of six submits a minute. Times are the server's, without polling. */
const submitted = async (server: DemoServer, url: string): Promise<number> => {
  const { apiKey } = await createAccount(server, 1_000);
  const winnow = new Winnow({ apiKey, baseUrl: server.url });
  const startedMs = performance.now();
  const { id } = await winnow.submit({ url });
  const answeredMs = performance.now() - startedMs;
  const result = await winnow.extractions.wait(id);
  if (result.status === "failed") throw new Error(result.error);
  const { createdAt, completedAt } = await winnow.extractions.get(id);
  return answeredMs + Date.parse(completedAt ?? "") - Date.parse(createdAt);
};

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const folder = await mkdtemp(path.join(tmpdir(), "winnow-bench-"));
try {
  await using site = await startSite(path.join(folder, "media"));
  await using server = await startServer(path.join(folder, "data"), site.host);
  await submitted(server, `${site.url}/talk-hls?warm`);
  const ours: Array<number> = [];
  const theirs: Array<number> = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const url = `${site.url}/talk-hls?round=${round}`;
    ours.push(await submitted(server, url));
    theirs.push(await typed(url, folder));
  }
  const ratio = median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN)));
  console.log(`submit to complete   ${median(ours).toFixed(0)} ms`);
  console.log(`five commands        ${median(theirs).toFixed(0)} ms`);
  console.log(`ratio                ${ratio.toFixed(3)}  (budget 0.4, median of ${ROUNDS} rounds)`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
