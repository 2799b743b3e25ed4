import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type AgentsDeps, openAgents } from "./agents/module.ts";
import { type ChannelsDeps, openChannels } from "./channels/module.ts";
import { type HttpDeps, openHttp } from "./http/module.ts";
import { openIdentity } from "./identity/module.ts";
import type { IdentityDeps, IdentityParts } from "./identity/open-identity.ts";
import type { Module } from "./modules/module.ts";
import { together } from "./modules/together.ts";
import { openRecords, type RecordsDeps } from "./records/module.ts";
import { listDeliveriesOfSession } from "./webhooks/delivery-store.ts";
import { openWebhooks, type WebhooksDeps } from "./webhooks/module.ts";

/** What districts get of each other, or of `openModules` itself. */
type Shared =
  | "secrets"
  | "audit"
  | "limits"
  | "messenger"
  | "all"
  | "deliveriesOf"
  | "recordings"
  | "recordingLinks";

export type ModulesDeps = Omit<
  HttpDeps & IdentityDeps & AgentsDeps & RecordsDeps & ChannelsDeps & WebhooksDeps,
  Shared
> & { readonly secrets: SecretBox };

/** The districts of the control API, each after those it is told by: in this order they start, and in turn they stop. */
export async function openModules(
  deps: ModulesDeps,
): Promise<{ modules: readonly Module[]; resolvers: IdentityParts["resolvers"] }> {
  const modules: Module[] = [];
  const { module: identity, parts } = await openIdentity(deps);
  const { resolvers, messenger } = parts;
  const { audit, limits } = parts.identity;
  const records = openRecords({
    ...deps,
    audit,
    all: together(modules),
    deliveriesOf: listDeliveriesOfSession,
  });
  const { recordings, recordingLinks } = records;
  modules.push(
    openHttp(deps),
    identity,
    openAgents({ ...deps, audit, limits }),
    openWebhooks({ ...deps, audit, messenger, recordingLinks }),
    records.module,
    openChannels({ ...deps, audit, limits, recordings, recordingLinks }),
  );
  return { modules, resolvers };
}
