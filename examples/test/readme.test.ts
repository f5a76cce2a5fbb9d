// @module-tag long: its own server, which README starts
/** The requests of README.md, as they stand there, at the server that its text starts. */
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { assert, it, vi } from "vitest";
import { newFolder } from "./newFolder.ts";
import { linkMedia } from "./SampleMediaBroker.ts";
import { patientInspections } from "./ServerBroker.ts";
import { startExample, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const README = path.resolve(import.meta.dirname, "../../README.md");

interface Answer {
  readonly id?: string;
  readonly status?: string;
  readonly [field: string]: unknown;
}

it("README's requests are answered by the server with the stand-in, and results say that it read them", async () => {
  const folder = await newFolder("readme");
  const release = await linkMedia(folder);
  const settings = { WINNOW_DATA_DIR: folder, WINNOW_PORT: "0", ...patientInspections };
  await using server = startExample("demo/standIn.ts", [], settings);
  try {
    const [, site = ""] = await server.printed(/^Sample pages: (http:\/\/[^/]+)\/recipe /mu);
    const [, url = ""] = await server.printed(/listening on (http:\S+)/u);
    const key = (await readFile(path.join(folder, "first-api-key"), "utf8")).trim();
    const readme = await readFile(README, "utf8");
    const requests = [...readme.matchAll(/^curl [\s\S]*?^\}'$/gmu)].map(([request]) =>
      request
        .replaceAll("http://127.0.0.1:8787", url)
        .replaceAll("http://127.0.0.1:8799", site)
        // The internet is not there in a test.
        .replaceAll("https://example.com/", `${site}/article`)
    );
    assert.lengthOf(requests, 2);
    const shown = JSON.parse(/^```json\n([\s\S]*?)^```$/mu.exec(readme)?.[1] ?? "{}") as Answer;
    const results: Array<Answer> = [];
    for (const request of requests) {
      const env = { ...process.env, WINNOW_API_KEY: key };
      const { stdout } = await promisify(execFile)("sh", ["-c", request], { env });
      const { id, ...refused } = JSON.parse(stdout) as Answer;
      assert.isDefined(id, JSON.stringify(refused));
      results.push(
        await vi.waitUntil(
          async () => {
            const answer = await fetch(`${url}/v1/extractions/${id}/result`, {
              headers: { "x-api-key": key }
            });
            return answer.status === 200 && ((await answer.json()) as Answer);
          },
          { timeout: 60_000, interval: 500 }
        )
      );
    }
    assert.deepStrictEqual(
      results.map(({ status, warnings }) => [status, warnings]),
      [
        ["complete", []],
        ["complete", shown["warnings"]]
      ]
    );
    for (const field of ["outcome", "extraction", "evidence", "parts"]) {
      assert.deepStrictEqual(results[1]?.[field], shown[field], field);
    }
    server.stop("SIGTERM");
    const { code, stderr } = await server.ended;
    assert.strictEqual(code, 0, stderr);
    assert.include(stderr, "a stand-in reads in place of a language model");
  } finally {
    await rm(folder, { recursive: true, force: true });
    await release();
  }
});
