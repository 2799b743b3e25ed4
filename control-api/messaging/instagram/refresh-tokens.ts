import { messageOf } from "@parley/shared/errors.ts";
import { findConnection, updateCredentials } from "../../sealed/connections/store.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { updateChannel } from "../channels/channel-store.ts";
import { CHANNEL_CONNECTIONS } from "../channels/credentials.ts";
import type { OpenedChannel } from "../channels/senders.ts";
import type { MessagingDeps } from "../deps.ts";
import { GraphError } from "../graph/graph-api.ts";
import { InstagramSender } from "./instagram-sender.ts";

/** A token lasts sixty days and can be exchanged after its first day. */
const REFRESH_AFTER_MS = 20 * 86_400_000;

type Deps = Pick<MessagingDeps, "database" | "clock" | "log" | "secrets" | "senders">;

/** Exchanges tokens long before they expire: nothing else could obtain a new one. */
export async function refreshTokens(deps: Deps, signal: AbortSignal): Promise<void> {
  const before = new Date(deps.clock.wallMs() - REFRESH_AFTER_MS);
  const old = await deps.database.db
    .selectFrom("messaging_channels")
    .select("id")
    .where("provider", "=", "instagram")
    .where("last_error", "is", null)
    .where("updated_at", "<", before)
    .execute();
  for (const { id } of old) {
    signal.throwIfAborted();
    const opened = await deps.senders.find(id);
    if (opened) await refresh(opened, signal, deps);
  }
}

async function refresh(opened: OpenedChannel, signal: AbortSignal, deps: Deps): Promise<void> {
  const { channelId, orgId, sender } = opened;
  if (!(sender instanceof InstagramSender)) return;
  try {
    const accessToken = await sender.refreshToken(signal);
    await deps.database.db.transaction().execute(async (trx) => {
      const known = await findConnection(trx, CHANNEL_CONNECTIONS, { id: channelId });
      if (!known) return;
      const sealed: unknown = JSON.parse(
        deps.secrets.open(known.credentialsSealed, SEAL_CONTEXT.channel(channelId)),
      );
      // Somebody entered another token meanwhile.
      if (Reflect.get(Object(sealed), "accessToken") !== opened.credentials.accessToken) return;
      const credentials = JSON.stringify({ ...Object(sealed), accessToken });
      const at = new Date(deps.clock.wallMs());
      const credentialsSealed = deps.secrets.seal(credentials, SEAL_CONTEXT.channel(channelId));
      const { account } = opened;
      await updateCredentials(trx, CHANNEL_CONNECTIONS, {
        id: channelId,
        orgId,
        account,
        credentialsSealed,
        at,
      });
    });
  } catch (error) {
    if (error instanceof GraphError && error.meaning.isTokenGone)
      await updateChannel(deps.database.db, channelId, { last_error: error.message });
    deps.log.warn(
      { event: "instagram_token_not_refreshed", channelId, err: messageOf(error) },
      "failed to refresh the token of an Instagram account",
    );
  }
}
