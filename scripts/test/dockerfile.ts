/** Parses docs/deploy/Dockerfile and its ignore file, for tests that run without a container engine. */
import { read } from "../repository.ts";

/** `keyword` in capitals; `content` as one line. */
export interface Step {
  readonly keyword: string;
  readonly content: string;
}

/** `base` is an image or the name of an earlier stage; the last stage has no name. */
export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly steps: ReadonlyArray<Step>;
}

/** Without comments, continued lines joined. */
const stepsOf = (dockerfile: string): ReadonlyArray<Step> =>
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

/** In the order of the file: the last one is the image. */
export const readStages = (): ReadonlyArray<Stage> => {
  const steps = stepsOf(read("docs/deploy/Dockerfile"));
  const starts = steps.flatMap(({ keyword }, at) => (keyword === "FROM" ? [at] : []));
  return starts.map((start, index) => {
    const [base = "", , name = ""] = steps[start]?.content.split(" ") ?? [];
    return { base, name, steps: steps.slice(start + 1, starts[index + 1]) };
  });
};

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
