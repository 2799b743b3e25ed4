import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

/** What prom-client keeps of a metric at run time. */
interface Declared {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly upperBounds?: readonly number[];
}

const isDeclared = (value: unknown): value is Declared =>
  typeof value === "object" && value !== null && "labelNames" in value;
const metrics = createMetrics();
const declared = Object.entries<unknown>(metrics).flatMap(([property, value]) =>
  isDeclared(value) ? [{ property, ...value, bounds: value.upperBounds ?? [] }] : [],
);

describe("the metrics", () => {
  it.each(declared)("$name is named by its unit, says what to do and carries no id", (metric) => {
    const { name, property, help, labelNames } = metric;
    expect(name).toMatch(/^parley_[a-z_]+$/);
    expect(name).not.toMatch(/_(ms|millis|kb)(_|$)/);
    expect(property).toBe(
      name.slice("parley_".length).replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
    );
    expect(help).toMatch(/^[^a-z].*\.$/);
    expect(labelNames.length).toBeLessThanOrEqual(3);
    expect(labelNames.join()).not.toMatch(/id\b|session|org|url|host/);
  });

  it.each(declared.filter(({ bounds }) => bounds.length > 0))(
    "$name has buckets of seconds",
    ({ bounds }) => {
      expect([...bounds].sort((a, b) => a - b)).toEqual(bounds);
      expect(bounds.at(-1)).toBeLessThanOrEqual(60);
    },
  );

  it("are given as Prometheus reads them, those of the process too", async () => {
    const own = createMetrics();
    own.responseSeconds.observe(0.42);
    own.callsTotal.inc({ end_reason: "caller_hangup" });
    own.liveCalls.set(3);
    const text = await own.text();
    expect(own.contentType).toContain("text/plain");
    expect(text).toContain('parley_response_seconds_bucket{le="0.5"} 1');
    expect(text).toContain('parley_calls_total{end_reason="caller_hangup"} 1');
    expect(text).toContain("parley_live_calls 3");
    expect(text).toContain("process_resident_memory_bytes");
  });

  it("of two that were made are counted apart", async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.bargeInsTotal.inc();
    expect(await other.text()).toContain("parley_barge_ins_total 0");
  });

  it("show an event loop that was held up, and forget it once it was shown", async () => {
    const own = createMetrics();
    const lag = async (): Promise<number> =>
      Number(/^parley_event_loop_lag_seconds (\S+)$/m.exec(await own.text())?.[1]);
    // The first interval after a start is the one later ones are measured from.
    const startedMs = performance.now();
    await expect.poll(() => performance.now() - startedMs).toBeGreaterThan(40);
    const untilMs = performance.now() + 300;
    while (performance.now() < untilMs);
    // Two turns of the loop: in between the timer that measures it has fired.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await lag()).toBeGreaterThan(0.2);
    await expect.poll(lag).toBeLessThan(0.2);
  });
});
