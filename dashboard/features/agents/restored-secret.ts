import type { ShownConfig } from "@parley/shared/contracts/agents.ts";

/**
 * What becomes of the brain's secret when a version is restored, as secrets are not kept with versions: the one that is
 * there stays, or it is asked for, as the one that is there belongs to another brain, or there is none.
 */
export type RestoredSecret = "kept" | "asked" | "none";

type WithBrain = Pick<ShownConfig, "brain">;

export function restoredSecret({ brain: now }: WithBrain, { brain: then }: WithBrain): RestoredSecret {
  const isOtherKind = (now.kind ?? "custom") !== (then.kind ?? "custom");
  if (isOtherKind) return then.hasSecret ? "asked" : "none";
  // A model's key is for one address only; the API refuses to send it elsewhere.
  const isMoved = then.kind === "model" && now.url !== then.url;
  if (isMoved) return now.hasSecret || then.hasSecret ? "asked" : "none";
  if (now.hasSecret) return "kept";
  return then.hasSecret ? "asked" : "none";
}
