/** Compares the alert rules and the dashboard with the metrics in the docs, and the docs with them. */
import { assert, describe, it } from "vitest";
import { read } from "../repository.ts";

const RULES = read("docs/deploy/prometheus-alerts.yaml");
const OPERATIONS = read("docs/operations.md");

interface Dashboard {
  readonly panels: ReadonlyArray<{
    readonly title: string;
    readonly targets: ReadonlyArray<{ readonly expr: string }>;
  }>;
}
const DASHBOARD = JSON.parse(read("docs/deploy/grafana-dashboard.json")) as Dashboard;

/** The expression of an alert or a panel. */
interface Expression {
  readonly of: string;
  readonly expr: string;
}

const EXPRESSIONS: ReadonlyArray<Expression> = [
  ...[...RULES.matchAll(/- alert: (?<alert>\w+)\n\s+expr: (?<expr>.+)/gu)].map(({ groups = {} }) => ({
    of: groups["alert"] ?? "",
    expr: groups["expr"] ?? ""
  })),
  ...DASHBOARD.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr })))
];

/** First cells of the table under a heading. */
const rowsUnder = (heading: string): ReadonlyArray<string> => {
  const section = OPERATIONS.split(`\n### ${heading}\n`)[1]?.split("\n### ")[0] ?? "";
  return [...section.matchAll(/^\| (?<cell>`[^|]*`) +\|/gmu)].map(({ groups = {} }) => groups["cell"] ?? "");
};

const DOCUMENTED = new Set(
  rowsUnder("Metrics").flatMap((cell) => [...cell.matchAll(/`(\w+)`/gu)].map(([, name = ""]) => name))
);

const metricsIn = (expr: string): ReadonlyArray<string> =>
  (expr.match(/\b(?:winnow|process|nodejs)_\w+/gu) ?? []).map((name) => name.replace(/_bucket$/u, ""));

/** Metrics that other programs have too. */
const isShared = (name: string): boolean => /^(?:process|nodejs)_|^up$/u.test(name);

describe("alert rules and dashboard", () => {
  it("use only metrics that the docs list", () => {
    assert.isAbove(EXPRESSIONS.length, 20);
    assert.isAbove(DOCUMENTED.size, 30);
    for (const { of, expr } of EXPRESSIONS) {
      for (const name of metricsIn(expr)) assert.isTrue(DOCUMENTED.has(name), `${of}: ${name}`);
    }
  });

  it("select only Winnow's processes if other programs have the same metric", () => {
    const shared = EXPRESSIONS.filter(({ expr }) => metricsIn(expr).some(isShared));
    assert.isNotEmpty(shared);
    for (const { of, expr } of shared) assert.include(expr, "winnow_build_info", of);
  });

  it("have each alert explained in the docs, and no others", () => {
    const alerts = EXPRESSIONS.map(({ of }) => of).filter((name) => RULES.includes(`alert: ${name}\n`));
    assert.deepStrictEqual(
      rowsUnder("Alerts"),
      alerts.map((name) => `\`${name}\``)
    );
  });

  it("link to the section that explains them", () => {
    const [, section = ""] = /docs\/operations\.md, "(.+)"/u.exec(RULES) ?? [];
    assert.include(OPERATIONS, `\n### ${section}\n`);
  });
});
