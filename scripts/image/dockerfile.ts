/** Parses the Dockerfile of docs/deploy into steps, for machines without a container engine. */
import { read } from "../repository.ts";

/** `keyword` in capitals; `content` as one line. */
export interface Step {
  readonly keyword: string;
  readonly content: string;
}

/** Without comments, continued lines joined. */
export const stepsOf = (dockerfile: string): ReadonlyArray<Step> =>
  dockerfile
    .replaceAll(/^\s*#.*\n/gmu, "")
    .replaceAll(/\\\n\s*/gu, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, keyword = "", content = ""] = /^([A-Z]+)\s+(.*)$/u.exec(line.trim()) ?? [];
      if (keyword === "") throw new Error(`The Dockerfile has a line that is not an instruction: ${line}`);
      return { keyword, content };
    });

/** `A=b C=$PATH:d`, with earlier variables substituted. */
export const assignmentsOf = (
  content: string,
  env: Readonly<Record<string, string>>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...content.matchAll(/(\w+)=("[^"]*"|\S+)/gu)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll('"', "").replaceAll(/\$\{?(\w+)\}?/gu, (_, variable: string) => env[variable] ?? "")
    ])
  );

/** The files that an engine would send as context, by the two kinds of rules in Dockerfile.dockerignore. */
export const isInContext = (file: string): boolean => {
  const rules = read("docs/deploy/Dockerfile.dockerignore").split("\n").filter(Boolean);
  const included = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));
  const leftOut = new Set(
    rules.filter((rule) => rule.startsWith("**/")).map((rule) => rule.slice("**/".length))
  );
  const unknown = rules.filter((rule) => rule !== "*" && !/^(?:!|\*\*\/)/u.test(rule));
  if (unknown.length > 0) throw new Error(`Rules of a kind that is not known here: ${unknown.join(", ")}`);
  return (
    included.some((place) => file === place || file.startsWith(`${place}/`)) &&
    !file.split("/").some((part) => leftOut.has(part))
  );
};
