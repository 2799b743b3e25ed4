import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import { type ActingCredential, isAbout } from "@parley/shared/contracts/access-changes.ts";
import { onAccessChange } from "./access-changes.ts";

/**
 * Calls `onEnded` when the credential that a stream was opened with may permit it no longer
 * (docs/decisions/rest.md#stream-ends-with-right). Resolves once it listens; rejects while the bus is away.
 */
export async function untilRightEnds(
  by: ActingCredential | undefined,
  channels: Pick<Channels, "subscribe">,
  onEnded: () => void,
): Promise<Unsubscribe> {
  // The ticket is of a release that did not say whose it is.
  if (by === undefined) return async () => undefined;
  return onAccessChange(channels, (change) => {
    if (isAbout(change, by)) onEnded();
  });
}
