/**
 * Parses the Prometheus text exposition format 0.0.4, and rejects what a scraper would reject or misread:
 * samples without a type, split families, duplicate series, inconsistent histograms.
 */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Array<Sample>;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL},?)*)\\})? (\\S+)$`, "u");
const TYPES = new Set(["counter", "gauge", "histogram", "summary", "untyped"]);

const numberOf = (text: string): number => {
  if (text === "+Inf") return Infinity;
  if (text === "-Inf") return -Infinity;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text)) throw new Error(`no number: ${text}`);
  return Number(text);
};

const readSample = (line: string): Sample => {
  const match = SAMPLE.exec(line);
  if (match === null) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (const [, name = "", value = ""] of (match[2] ?? "").matchAll(new RegExp(LABEL, "gu"))) {
    if (name in labels) throw new Error(`label told twice: ${line}`);
    // As promtool: `quantile` and `le` belong to summaries and histograms.
    if (name === "quantile") throw new Error(`reserved label: ${line}`);
    labels[name] = value.replaceAll(/\\(.)/gu, (_all, escaped) => (escaped === "n" ? "\n" : escaped));
  }
  return { name: match[1] ?? "", labels, value: numberOf(match.at(-1) ?? "") };
};

const familyOf = (name: string, families: ReadonlyMap<string, Family>): string => {
  const base = name.replace(/_(?:bucket|sum|count)$/u, "");
  return families.get(base)?.type === "histogram" ? base : name;
};

const withoutLe = ({ labels: { le: _le, ...rest } }: Sample): string =>
  JSON.stringify(Object.entries(rest).sort());

/** Buckets must be ascending, and the last must be +Inf and equal to the count. */
const checkHistogram = (name: string, { samples }: Family): void => {
  for (const series of new Set(samples.map(withoutLe))) {
    const of = (suffix: string) =>
      samples.filter((one) => one.name === name + suffix && withoutLe(one) === series);
    const buckets = of("_bucket").map(({ labels, value }) => [numberOf(labels["le"] ?? ""), value] as const);
    const [count] = of("_count");
    if (count === undefined || of("_sum").length !== 1) throw new Error(`${name} has no sum or count`);
    const rises = buckets.every(
      ([le, value], index) => index === 0 || (le > buckets[index - 1]![0] && value >= buckets[index - 1]![1])
    );
    if (!rises) throw new Error(`buckets of ${name} do not rise`);
    const last = buckets.at(-1);
    if (last?.[0] !== Infinity || last[1] !== count.value) throw new Error(`${name} does not end with +Inf`);
  }
};

/** Throws at the first invalid line. */
export const parsePrometheus = (text: string): ReadonlyMap<string, Family> => {
  if (!text.endsWith("\n")) throw new Error("no line end at the end");
  const families = new Map<string, Family>();
  const helps = new Map<string, string>();
  const seen = new Set<string>();
  let current = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/u.exec(line) ?? [];
    if (kind === "HELP") helps.set(name, rest);
    else if (kind === "TYPE") {
      if (families.has(name) || !TYPES.has(rest)) throw new Error(`bad type: ${line}`);
      families.set(name, { type: rest, help: helps.get(name) ?? "", samples: [] });
      current = name;
    } else {
      const sample = readSample(line);
      if (familyOf(sample.name, families) !== current) throw new Error(`out of its family: ${line}`);
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      if (seen.has(key)) throw new Error(`told twice: ${line}`);
      seen.add(key);
      families.get(current)?.samples.push(sample);
    }
  }
  for (const [name, family] of families) if (family.type === "histogram") checkHistogram(name, family);
  return families;
};

/** Value of the series with exactly these labels; 0 if there is none. */
export const valueOf = (
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number => {
  const families = parsePrometheus(text);
  const wanted = JSON.stringify(Object.entries(labels).sort());
  const found = families
    .get(familyOf(name, families))
    ?.samples.find(
      (one) => one.name === name && JSON.stringify(Object.entries(one.labels).sort()) === wanted
    );
  return found?.value ?? 0;
};
