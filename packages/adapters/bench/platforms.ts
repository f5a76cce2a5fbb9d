/**
 * Confusion tables of the address rules and of the failure reasons, over data in a folder: `node platforms.ts DIR`.
 *
 * DIR contains `urls-*.json` ([{url, class}]) and `messages.json` ([{message, want: [reason, ...]}]). Then counts
 * the normalised URLs of different spellings of one work's URL, for the list in platform-spellings.txt.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSourceUrl } from "@winnow/core/domain/url/SourceUrl";
import * as Result from "effect/Result";
import { reasonOf } from "../src/sources/index.ts";

const [folder = "."] = process.argv.slice(2);

const read = <Row>(name: string): ReadonlyArray<Row> => JSON.parse(readFileSync(join(folder, name), "utf8"));

const table = (rows: ReadonlyArray<readonly [is: string, said: string]>): void => {
  const counts: Record<string, Record<string, number>> = {};
  for (const [is, said] of rows) {
    const row = (counts[is] ??= {});
    row[said] = (row[said] ?? 0) + 1;
  }
  console.table(counts);
};

const meaningOf = (url: string): string =>
  Result.match(parseSourceUrl(url), {
    onSuccess: () => "taken",
    onFailure: ({ details }) => String(details["reason"])
  });

const addresses = readdirSync(folder)
  .filter((name) => /^urls-.*\.json$/u.test(name))
  .flatMap((name) => read<{ readonly url: string; readonly class: string }>(name));
table(addresses.map(({ class: is, url }) => [is, meaningOf(url)]));

const NO_MEDIA = "no_media";
const messages = read<{ readonly message: string; readonly want: ReadonlyArray<string> }>("messages.json");
table(
  messages.map(({ message, want }) => {
    const reasons = want.map((reason) => (reason === NO_MEDIA ? "not_extractable" : reason));
    const said = reasonOf(message);
    return [reasons.join("|"), reasons.includes(said) ? "right" : said];
  })
);

const works = readFileSync(new URL("platform-spellings.txt", import.meta.url), "utf8")
  .split(/\n{2,}/u)
  .map((block) => block.split("\n").filter((line) => line.startsWith("http")))
  .filter((spellings) => spellings.length > 0);
const keyOf = (url: string): string =>
  Result.match(parseSourceUrl(url), {
    onSuccess: ({ normalized }) => normalized,
    onFailure: () => `refused: ${url}`
  });
console.table({
  works: works.length,
  spellings: works.flat().length,
  keys: works.reduce((sum, spellings) => sum + new Set(spellings.map(keyOf)).size, 0)
});
