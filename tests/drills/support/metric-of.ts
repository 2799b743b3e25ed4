import type { GatewayProcess } from "./installation.ts";

/** A figure without labels, as Prometheus would read it from a process. */
export async function metricAt(httpUrl: string, name: string): Promise<number> {
  const response = await fetch(`${httpUrl}/metrics`);
  const line = (await response.text()).split("\n").find((candidate) => candidate.startsWith(`${name} `));
  if (line === undefined) throw new Error(`${httpUrl} exports no ${name}`);
  return Number(line.slice(name.length));
}

/** The same of a gateway. */
export function metricOf({ publicUrl }: GatewayProcess, name: string): Promise<number> {
  return metricAt(publicUrl.replace(/^ws/, "http"), name);
}
