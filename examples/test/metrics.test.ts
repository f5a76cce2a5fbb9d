// @module-tag long
/** The metrics of a real server, compared with those that contrib's alert rules and dashboard name. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Winnow } from "@winnow/client";
import { assert, describe, it, vi } from "vitest";
import { openStage, TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

const rules = await read("contrib/prometheus-alerts.yaml");
const board = JSON.parse(await read("contrib/grafana-dashboard.json")) as {
  readonly panels: ReadonlyArray<{ readonly targets: ReadonlyArray<{ readonly expr: string }> }>;
};
const expressions = [
  ...[...rules.matchAll(/^ +expr: (.+)$/gmu)].map(([, expr = ""]) => expr),
  ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
];

const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\b(?:winnow|process|nodejs)_\w+/gu)].map(([name]) => name);

describe("alert rules", () => {
  it("say what they mean and what to do, each of them", () => {
    const [, ...each] = rules.split("- alert: ");
    assert.isNotEmpty(each);
    for (const rule of each) assert.match(rule, /^ +summary: \S.*\n +description: \S.*$/mu, rule);
  });

  it("select only Winnow's processes if other programs have the same metric, as the dashboard does", () => {
    const shared = expressions.filter((expr) => namesIn(expr).some((name) => !name.startsWith("winnow_")));
    assert.isNotEmpty(shared);
    for (const expr of shared) assert.include(expr, "winnow_build_info");
  });
});

describe("a server that has worked", () => {
  it("exposes every metric that rules and dashboard name, and says what each metric means", async () => {
    await using stage = await openStage();
    const { apiKey } = await stage.account();
    const winnow = new Winnow({ apiKey, baseUrl: stage.server.url });
    const schema = { type: "object", properties: { title: { type: "string" } } };
    await winnow.extract({ url: `${stage.site.url}/talk`, prompt: "What is it called?", schema });
    // More than the limit per minute, so that some are counted as refused.
    const hasty = new Winnow({ apiKey, baseUrl: stage.server.url, maxRetries: 0 });
    await Promise.allSettled(Array.from({ length: 8 }, () => hasty.submit({ url: "nonsense" })));
    const scraped = await fetch(`${stage.server.url}/metrics`).then((answer) => answer.text());
    const exposed = new Set([...scraped.matchAll(/^# TYPE (\w+) /gmu)].map(([, name = ""]) => name));
    for (const name of expressions.flatMap(namesIn)) {
      const metric = name.replace(/_(?:bucket|sum|count)$/u, "");
      assert.isTrue(exposed.has(name) || exposed.has(metric), `${name} is not exposed`);
    }
    const explained = new Set([...scraped.matchAll(/^# HELP (\w+) \S/gmu)].map(([, name = ""]) => name));
    assert.deepStrictEqual(
      [...exposed].filter((name) => !explained.has(name)),
      []
    );
  });
});
