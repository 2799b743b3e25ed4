import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Carrier, CarrierEvent } from "../carriers/carrier.ts";

/**
 * Tells a caller why nobody takes the call, where the carrier had to answer it for that, and hangs up. A caller who
 * cannot be told is hung up on at once, rather than left in silence.
 */
export async function explainRefusal(
  event: CarrierEvent,
  carrier: Pick<Carrier, "explain" | "hangUp">,
  { log }: { readonly log: Logger },
): Promise<void> {
  const { callSid } = event;
  if (event.type === "explained") return hangUp(callSid, carrier);
  if (event.type !== "to_explain") return;
  try {
    await carrier.explain?.(callSid, event.words);
  } catch (error) {
    log.warn(
      { event: "refusal_not_explained", err: messageOf(error), callSid },
      "failed to tell a caller why the call is refused",
    );
    await hangUp(callSid, carrier);
  }
}

async function hangUp(callSid: string, carrier: Pick<Carrier, "hangUp">): Promise<void> {
  await carrier.hangUp(callSid).catch((error: unknown) => {
    const isOver = error instanceof AppError && error.code === "not_found";
    if (!isOver) throw error;
  });
}
