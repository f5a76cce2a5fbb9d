/**
 * Confusion tables of the address rules and of the failure reasons, over data in a folder: `node platforms.ts DIR`.
 *
 * DIR holds `urls-*.json` ([{url, class}]) and `messages.json` ([{message, want: [reason, ...]}]).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSourceUrl } from "@winnow/core/domain/SourceUrl";
import * as Result from "effect/Result";
import { reasonOf } from "../src/download/index.ts";

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
