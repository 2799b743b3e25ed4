import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export const LATENCY_BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 15];
export const FINE_BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.25, 0.5, 1, 2];

/** Declares metrics in one registry and prefixes their names with `parley_`. */
export function declaring(registry: Registry) {
  return {
    /** Times are in seconds, sizes in bytes. */
    histogram: <L extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: L[] = [],
    ) => new Histogram({ name: `parley_${name}`, help, buckets, labelNames, registers: [registry] }),
    counter: <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
      new Counter({ name: `parley_${name}`, help, labelNames, registers: [registry] }),
    gauge: <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
      new Gauge({ name: `parley_${name}`, help, labelNames, registers: [registry] }),
  };
}
