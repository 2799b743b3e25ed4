import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { needs } from "../../testkit/needs.ts";
import { ROOT, readText } from "./compose-file.ts";

interface RuleTest {
  readonly name: string;
  readonly promql_expr_test: readonly { readonly expr: string; readonly exp_samples: readonly unknown[] }[];
}

/** Throws with what Prometheus says when it refuses a file or a case fails. */
function promtool(...args: string[]): string {
  return execFileSync("promtool", args, {
    cwd: join(ROOT, "ops/prometheus"),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

describe.runIf(needs("promtool"))("Prometheus itself", () => {
  test("accepts the configuration and the rules", () => {
    expect(promtool("check", "config", "prometheus.yml")).toContain("rules found");
  });

  test("has each alert fire where it should, and stay quiet where all is well", () => {
    expect(promtool("test", "rules", "alerts.test.yml")).toContain("SUCCESS");
  }, 120_000);
});

describe("the cases of the alerts", () => {
  const { groups } = parse(readText("ops/prometheus/alerts.yml"));
  const alerts: string[] = groups.flatMap(({ rules }: { rules: { alert: string }[] }) =>
    rules.map(({ alert }) => alert),
  );
  const { tests }: { tests: RuleTest[] } = parse(readText("ops/prometheus/alerts.test.yml"));

  test.each(alerts)("%s has one in which it fires and one in which it does not", (alert) => {
    const expected = tests
      .flatMap(({ promql_expr_test }) => promql_expr_test)
      .filter(({ expr }) => expr.includes(`alertname="${alert}"`))
      .map(({ exp_samples }) => exp_samples.length > 0);
    expect(new Set(expected)).toEqual(new Set([true, false]));
  });
});
