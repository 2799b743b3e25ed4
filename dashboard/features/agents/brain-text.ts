import type { Agent } from "@parley/shared/contracts/agents.ts";

/** Describes an agent's kind of brain, and where it runs. */
export function brainText({ brain }: Pick<Agent, "brain">): string {
  const host = hostOf(brain.url);
  if (brain.kind === "model") return `Model ${String(brain.model)}${host === "" ? "" : ` at ${host}`}`;
  if (brain.kind === "flow") return "Flow";
  return `Endpoint ${host}`;
}

function hostOf(url: unknown): string {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host : "";
}
