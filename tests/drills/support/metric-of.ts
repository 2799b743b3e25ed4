import type { GatewayProcess } from "./installation.ts";

/** A figure without labels, as Prometheus would read it from the gateway. */
export async function metricOf({ publicUrl }: GatewayProcess, name: string): Promise<number> {
  const response = await fetch(`${publicUrl.replace(/^ws/, "http")}/metrics`);
  const line = (await response.text()).split("\n").find((candidate) => candidate.startsWith(`${name} `));
  if (line === undefined) throw new Error(`the gateway exports no ${name}`);
  return Number(line.slice(name.length));
}
