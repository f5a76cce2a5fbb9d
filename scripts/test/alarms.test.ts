/** Alert rules and dashboard of docs/deploy, held against the metrics that the docs name and the alarms they explain. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { assert, describe, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

const operations = read("docs/operations.md");

/** The first column of the table of metrics. */
const METRICS = new Set(
  [
    ...operations
      .slice(operations.indexOf("### Metrics"), operations.indexOf("### Traces"))
      .matchAll(/`([a-z_]+)`/gu)
  ].map(([, name = ""]) => name)
);

interface Rule {
  readonly name: string;
  readonly expression: string;
  readonly summary: string;
}

/** The file is written in one shape only: what does not fit it is no rule. */
const RULE = new RegExp(
  [
    String.raw`^      - alert: (\w+)`,
    String.raw`        expr: (.+)`,
    String.raw`        for: \d+m`,
    String.raw`        labels:`,
    String.raw`          severity: (?:page|ticket)`,
    String.raw`        annotations:`,
    String.raw`          summary: (.+)$`
  ].join("\n"),
  "gmu"
);

const alerts = read("docs/deploy/prometheus-alerts.yaml");
const rules: ReadonlyArray<Rule> = [...alerts.matchAll(RULE)].map(
  ([, name = "", expression = "", summary = ""]) => ({
    name,
    expression,
    summary
  })
);

/** Names of series in an expression; those of histograms without their endings. */
const seriesOf = (expression: string): ReadonlyArray<string> =>
  [...expression.replaceAll(/\{[^}]*\}|"[^"]*"/gu, "").matchAll(/\b(?:winnow|process|nodejs)_[a-z_]+/gu)].map(
    ([name]) => name.replace(/_(?:bucket|sum|count)$/u, "")
  );

const isBalanced = (expression: string): boolean => {
  let depth = 0;
  for (const character of expression.replaceAll(/"[^"]*"/gu, "")) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
};

const assertExpression = (expression: string): void => {
  assert.isTrue(isBalanced(expression), expression);
  const series = seriesOf(expression);
  assert.isNotEmpty(series, expression);
  for (const name of series) assert.isTrue(METRICS.has(name), `${name} of ${expression} is no metric`);
};

describe("the alert rules", () => {
  it("are all of one shape, each with a name of its own, and ask for metrics that there are", () => {
    assert.strictEqual(rules.length, [...alerts.matchAll(/- alert:/gu)].length);
    assert.strictEqual(new Set(rules.map(({ name }) => name)).size, rules.length);
    for (const { expression } of rules) assertExpression(expression);
  });

  it("are explained in the docs, each with what to do", () => {
    const explained = [...operations.matchAll(/^\| `(Winnow\w+)` +\| (.+?) +\| (.+?) +\|$/gmu)];
    assert.sameMembers(
      explained.map(([, name]) => name),
      rules.map(({ name }) => name)
    );
  });
});

describe("the dashboard", () => {
  it("is one that Grafana takes, and its panels ask for metrics that there are", () => {
    const board = JSON.parse(read("docs/deploy/grafana-dashboard.json")) as {
      readonly title: string;
      readonly schemaVersion: number;
      readonly panels: ReadonlyArray<{
        readonly id: number;
        readonly title: string;
        readonly gridPos: { readonly w: number; readonly x: number };
        readonly targets: ReadonlyArray<{ readonly expr: string }>;
      }>;
    };
    assert.isAtLeast(board.schemaVersion, 30);
    assert.strictEqual(new Set(board.panels.map(({ id }) => id)).size, board.panels.length);
    for (const { gridPos, targets } of board.panels) {
      assert.isAtMost(gridPos.x + gridPos.w, 24);
      for (const { expr } of targets) assertExpression(expr);
    }
  });
});
