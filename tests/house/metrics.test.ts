import { configReference } from "@parley/shared/config/config.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseEnvFile, readText } from "./compose-file.ts";

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

/** What prom-client keeps of a metric at run time. */
interface Declared {
  readonly name: string;
  readonly labelNames: readonly string[];
  readonly help: string;
}

const PROMQL = [
  ...["rate", "sum", "min", "max", "by", "increase", "topk", "histogram_quantile", "absent"],
  ...["and", "or"],
];
/** What redis_exporter and postgres_exporter tell. */
const OF_STORES = [
  ...["redis_memory_used_bytes", "redis_memory_max_bytes", "redis_aof_last_write_status"],
  ...["pg_stat_activity_count", "pg_settings_max_connections"],
];
/** Labels Prometheus adds, and its own metric. */
const SCRAPED = ["le", "instance", "job", "up"];

describe("what people look at", async () => {
  const metrics = createMetrics();
  const ours = Object.values<unknown>(metrics).filter(isDeclared);
  const names = namesIn(await metrics.text());
  const { panels }: { panels: Panel[] } = JSON.parse(readText("ops/grafana/dashboards/parley.json"));
  const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

  test.each(queries)("panel $title asks only for what exists: $expr", ({ expr }) => {
    expect(unknownIn(expr)).toEqual([]);
  });

  const { groups } = parse(readText("ops/prometheus/alerts.yml"));
  const rules: { alert: string; expr: string; annotations: { runbook: string } }[] = groups.flatMap(
    (group: { rules: unknown[] }) => group.rules,
  );
  test.each(rules)("alert $alert asks only for what exists and says what to do", ({ expr, annotations }) => {
    expect(unknownIn(expr)).toEqual([]);
    expect(annotations).toHaveProperty("summary");
    expect(annotations).toHaveProperty("description");
  });

  const operations = readText("docs/operations.md");
  test.each(rules)("alert $alert has a page of its own for whoever is paged", ({ alert, annotations }) => {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(operations).toContain(`\n### ${alert}\n`);
  });

  test("the operations page tells of metrics and variables that exist", () => {
    const told = [...new Set(operations.match(/\bparley_[a-z_]+/g))];
    expect(told.length).toBeGreaterThan(3);
    expect(told.filter((name) => !ours.some((metric) => metric.name === name))).toEqual([]);
    const variables = [...new Set(operations.match(/`[A-Z][A-Z0-9]*_[A-Z0-9_]+`/g))].map((name) =>
      name.slice(1, -1),
    );
    const ofCompose = Object.keys(parseEnvFile(readText(".env.example")));
    const known = [...configReference().map(({ name }) => name), ...ofCompose];
    expect(variables.filter((name) => !known.includes(name))).toEqual([]);
  });

  test.each(ours)("$name says what it is and what to do about it", ({ help }) => {
    expect(help).toMatch(/\. \S|[:;] \S|Growing|High|Must/);
  });

  test("a query with a misspelled metric or label would be noticed", () => {
    expect(unknownIn("sum by (reasn) (rate(parley_call_total[5m]))")).toEqual(["parley_call_total", "reasn"]);
  });

  test("every metric of ours is on the dashboard", () => {
    const shown = queries.map(({ expr }) => expr).join("\n");
    expect(ours.map(({ name }) => name).filter((name) => !shown.includes(name))).toEqual([]);
  });

  test("panels have ids of their own and do not lie on each other", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  /** Metrics and labels of a PromQL expression that nothing exports. */
  function unknownIn(expr: string): string[] {
    const asked = ours.filter(({ name }) => expr.includes(name));
    const labels = [...SCRAPED, ...asked.flatMap(({ labelNames }) => labelNames)];
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
    const words = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, "").match(/[a-z_]\w*/gi) ?? [];
    return [
      ...words.filter((word) => ![...PROMQL, ...SCRAPED, ...OF_STORES].includes(word) && !names.has(word)),
      ...grouped.filter((label) => !labels.includes(label)),
    ];
  }
});

function isDeclared(value: unknown): value is Declared {
  return typeof value === "object" && value !== null && "name" in value && "labelNames" in value;
}

/** Metric names of a Prometheus exposition, a histogram as its three series. */
function namesIn(exposition: string): Set<string> {
  const types = [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name, type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name ?? ""],
    ),
  );
}
