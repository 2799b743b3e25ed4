import type { ShownConfig } from "@parley/shared/contracts/agents.ts";

/**
 * What happens to the brain's secret when a version is restored, since versions do not store secrets: the
 * current secret is kept, or asked for, because it belongs to another brain or is missing.
 */
export type RestoredSecret = "kept" | "asked" | "none";

type WithBrain = Pick<ShownConfig, "brain">;

export function restoredSecret({ brain: now }: WithBrain, { brain: then }: WithBrain): RestoredSecret {
  const isOtherKind = (now.kind ?? "custom") !== (then.kind ?? "custom");
  if (isOtherKind) return then.hasSecret ? "asked" : "none";
  // A model's key is bound to one address; the API refuses to send it elsewhere.
  const isMoved = then.kind === "model" && now.url !== then.url;
  if (isMoved) return now.hasSecret || then.hasSecret ? "asked" : "none";
  if (now.hasSecret) return "kept";
  return then.hasSecret ? "asked" : "none";
}
