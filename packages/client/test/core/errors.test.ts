/** The types of errors know what the service sends: they are compared as text, since types are gone when this runs. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { assert, describe, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

const TYPES = read("packages/client/src/core/errors.ts");

/** The section of an error code, up to the next one. */
const sectionOf = (code: string): string =>
  new RegExp(`^### \`${code}\`\n(.*?)^##`, "msu").exec(read("docs/troubleshooting.md"))?.[1] ?? "";

/** The declaration of a type, without comments. */
const typeOf = (name: string): string =>
  (
    new RegExp(`^export (?:interface|type) ${name}\\b.*?^(?:\\}|.*;)$`, "msu").exec(TYPES)?.[0] ?? ""
  ).replaceAll(/\/\*\*.*?\*\//gsu, "");

describe("the types of errors", () => {
  it("have every status of the API document", () => {
    const { paths } = JSON.parse(read("packages/server/openapi.json")) as {
      readonly paths: Record<string, Record<string, { readonly responses?: object }>>;
    };
    const statuses = new Set(
      Object.values(paths)
        .flatMap((operations) => Object.values(operations))
        .flatMap(({ responses = {} }) => Object.keys(responses))
        .filter((status) => Number(status) >= 400)
    );
    assert.isAbove(statuses.size, 10);
    for (const status of statuses) assert.match(typeOf("ErrorStatus"), new RegExp(`\\| ${status}\\b`, "u"));
  });

  it.each([
    ["rate_limited", "RateLimitedDetails"],
    ["conflict", "ConflictDetails"],
    ["insufficient_credits", "InsufficientCreditsDetails"],
    ["unsupported_url", "UnsupportedUrlDetails"]
  ])("have every reason of %s that the docs name", (code, name) => {
    const reasons = [...sectionOf(code).matchAll(/(?:^- |, |with |With )`([a-z_]+)`/gmu)].map(
      ([, each]) => each
    );
    assert.isNotEmpty(reasons);
    for (const reason of reasons) assert.include(typeOf(name), `"${reason}"`);
  });

  it("have the reasons of a service that is away", () => {
    for (const reason of ["busy", "database_away", "artifacts_away"]) {
      assert.include(read("docs/troubleshooting.md"), `\`${reason}\``);
      assert.include(typeOf("InternalErrorDetails"), `"${reason}"`);
    }
  });
});
