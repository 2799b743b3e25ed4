import type { KeptSpeech } from "@parley/media/tts/kept-speech.ts";
import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import { AGENT_DELETED_CHANNEL, agentDeletedSchema } from "@parley/shared/contracts/agent-deleted.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

/**
 * Forgets the kept speech of deleted agents. Delivery is at most once: a node that missed the message forgets an agent
 * after long disuse. Returns the unsubscribe function.
 */
export async function followDeletions(
  channels: Channels,
  kept: KeptSpeech,
  log: Logger,
): Promise<Unsubscribe> {
  try {
    return await channels.subscribe(AGENT_DELETED_CHANNEL, (payload) => {
      const { orgId, agentId } = agentDeletedSchema.parse(JSON.parse(payload));
      kept.forget(orgId, agentId);
    });
  } catch (error) {
    log.warn(
      { event: "agent_deletions_not_subscribed", err: messageOf(error) },
      "failed to subscribe to deletions of agents",
    );
    return async () => undefined;
  }
}
