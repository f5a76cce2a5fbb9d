/**
 * Alert rules and dashboard of docs/deploy: parsed by Prometheus' own grammar, checked by its own program where
 * that is installed, and compared with the metrics of a real server and with the docs.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { Winnow } from "@winnow/client";
import { assert, describe, it, vi } from "vitest";
import { parse, stringify } from "yaml";
import { FIRING, QUIET, type Series } from "./alarmSeries.ts";
import { openStage, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const ROOT = path.resolve(import.meta.dirname, "../..");
const RULES_FILE = path.join(ROOT, "docs/deploy/prometheus-alerts.yaml");
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets: ReadonlyArray<{ readonly expr: string }>;
}

const rules = (
  parse(await readFile(RULES_FILE, "utf8")) as { groups: Array<{ rules: Array<Rule> }> }
).groups.flatMap((group) => group.rules);
const board = JSON.parse(await read("docs/deploy/grafana-dashboard.json")) as {
  readonly schemaVersion: number;
  readonly panels: ReadonlyArray<Panel>;
};
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
];

/** The series in an expression; fails at a syntax error. */
const seriesOf = (expression: string): ReadonlyArray<string> => {
  const names: Array<string> = [];
  parser.parse(expression).iterate({
    enter: ({ from, name, node, to, type }) => {
      assert.isFalse(type.isError, `${expression} is not PromQL at ${from}`);
      if (name === "Identifier" && node.parent?.name === "VectorSelector")
        names.push(expression.slice(from, to));
    }
  });
  assert.isNotEmpty(names, expression);
  return names;
};

/** Metrics that Prometheus adds for every target that it scrapes. */
const OF_PROMETHEUS = new Set(["up"]);

/** Descriptions of the metrics in the docs, by name. */
const documented = async (): Promise<ReadonlyMap<string, string>> => {
  const text = await read("docs/operations.md");
  const table = text.slice(text.indexOf("### Metrics"), text.indexOf("### Alerts"));
  const rows = [...table.matchAll(/^\| (`.+?) +\| .*?\| (.+?) +\|$/gmu)];
  return new Map(
    rows.flatMap(([, names = "", what = ""]) =>
      [...names.matchAll(/`(\w+)`/gu)].map(([, name = ""]) => [name, what])
    )
  );
};

const isInstalled = (program: string): boolean =>
  spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;

describe("the alert rules", () => {
  it("are valid PromQL, with unique names, a severity, a duration and a sentence", () => {
    assert.strictEqual(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const rule of rules) {
      assert.isNotEmpty(seriesOf(rule.expr));
      assert.match(rule.for, /^\d+m$/u);
      assert.include(["page", "ticket"], rule.labels.severity);
      assert.match(rule.annotations.summary, /^[A-Z].+\.$/u);
    }
  });

  it("are explained in the docs, each with a remedy", async () => {
    const operations = await read("docs/operations.md");
    const explained = [...operations.matchAll(/^\| `(Winnow\w+)` +\| (.+?) +\| (.+?) +\|$/gmu)];
    assert.sameMembers(
      explained.map(([, name]) => name),
      rules.map(({ alert }) => alert)
    );
  });

  it.skipIf(!isInstalled("promtool"))(
    "pass Prometheus' own check, fire for what they are for, and are quiet otherwise (skipped without promtool)",
    async () => {
      const check = spawnSync("promtool", ["check", "rules", RULES_FILE], { encoding: "utf8" });
      assert.strictEqual(check.status, 0, check.stdout + check.stderr);
      assert.sameMembers(
        Object.keys(FIRING),
        rules.map(({ alert }) => alert)
      );
      const at = (series: Series) =>
        Object.entries(series).map(([name, values]) => ({ series: name, values }));
      const tests = Object.entries(FIRING).map(([alertname, series]) => {
        const { labels } = rules.find(({ alert }) => alert === alertname) ?? assert.fail();
        return {
          interval: "1m",
          name: alertname,
          input_series: at(series),
          promql_expr_test: [
            {
              expr: `count(ALERTS{alertname="${alertname}", alertstate="firing", severity="${labels.severity}"}) > 0`,
              eval_time: "2h",
              exp_samples: [{ labels: "{}", value: 1 }]
            }
          ]
        };
      });
      const quiet = {
        interval: "1m",
        name: "quiet",
        input_series: at(QUIET),
        promql_expr_test: [{ expr: "ALERTS", eval_time: "2h", exp_samples: [] }]
      };
      const folder = await mkdtemp(path.join(tmpdir(), "winnow-alarms-"));
      try {
        const file = path.join(folder, "tests.yaml");
        await writeFile(
          file,
          stringify({ rule_files: [RULES_FILE], evaluation_interval: "1m", tests: [...tests, quiet] })
        );
        const tested = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
        assert.strictEqual(tested.status, 0, tested.stdout + tested.stderr);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  );
});

describe("the dashboard", () => {
  it("has a structure that Grafana accepts, with panels that do not overlap", () => {
    assert.isAtLeast(board.schemaVersion, 30);
    assert.strictEqual(new Set(board.panels.map(({ id }) => id)).size, board.panels.length);
    const cells = new Set<string>();
    for (const { gridPos, targets, title, type } of board.panels) {
      assert.include(["timeseries", "stat", "gauge", "barchart", "table"], type, title);
      assert.isAtMost(gridPos.x + gridPos.w, 24, title);
      assert.isNotEmpty(targets, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.isFalse(cells.has(`${x} ${y}`), `${title} lies over another panel`);
          cells.add(`${x} ${y}`);
        }
      }
    }
  });
});

describe("a server that has worked", () => {
  it("exposes every metric that rules, dashboard and docs name, and no other", async () => {
    await using stage = await openStage();
    const { apiKey } = await stage.account();
    const winnow = new Winnow({ apiKey, baseUrl: stage.server.url });
    const schema = { type: "object", properties: { title: { type: "string" } } };
    await winnow.extract({ url: `${stage.site.url}/talk`, prompt: "What is it called?", schema });
    // More than the limit per minute, so that some are counted as refused.
    await Promise.allSettled(Array.from({ length: 8 }, () => winnow.submit({ url: "nonsense" })));
    const scraped = await fetch(`${stage.server.url}/metrics`).then((answer) => answer.text());
    const types = new Map(
      [...scraped.matchAll(/^# TYPE (\w+) (\w+)$/gmu)].map(([, name = "", type = ""]) => [name, type])
    );
    const rowsOf = (name: string): ReadonlyArray<string> =>
      types.get(name) === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
    const exposed = new Set([...types.keys()].flatMap(rowsOf));
    for (const expression of expressions) {
      for (const name of seriesOf(expression)) {
        if (!OF_PROMETHEUS.has(name))
          assert.isTrue(exposed.has(name), `${name} of ${expression} is not exposed`);
      }
    }
    const named = await documented();
    assert.deepStrictEqual(
      [...types.keys()].filter((name) => !named.has(name)),
      []
    );
    const missing = [...named].filter(
      ([name, what]) => !types.has(name) && !what.includes("once there is one")
    );
    assert.deepStrictEqual(missing, []);
  });
});
