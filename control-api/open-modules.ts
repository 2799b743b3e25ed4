import type { MessageBox } from "@parley/shared/security/message-box.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type AgentsDeps, openAgents } from "./agents/module.ts";
import { type ChannelsDeps, openChannels } from "./channels/module.ts";
import { type DemoDeps, openDemo } from "./demo/module.ts";
import { type HttpDeps, openHttp } from "./http/module.ts";
import { openIdentity } from "./identity/module.ts";
import type { IdentityDeps, IdentityParts } from "./identity/open-identity.ts";
import { type IntegrationsDeps, openIntegrations } from "./integrations/module.ts";
import type { Module } from "./modules/module.ts";
import { together } from "./modules/together.ts";
import { openRecords, type RecordsDeps } from "./records/module.ts";
import type { ToolExecutors } from "./tools/executor.ts";
import { openTools } from "./tools/module.ts";
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
  | "recordingLinks"
  | "toolExecutors"
  | "controlApiTools";

export type ModulesDeps = Omit<
  HttpDeps &
    IdentityDeps &
    AgentsDeps &
    IntegrationsDeps &
    RecordsDeps &
    ChannelsDeps &
    WebhooksDeps &
    DemoDeps,
  Shared
> & {
  readonly secrets: SecretBox;
  readonly messages: MessageBox;
  /** Tools of a test's own in the place of the built-in ones. */
  readonly toolExecutors?: ToolExecutors;
};

/** The districts of the control API, each after those it is told by: in this order they start, and in turn they stop. */
export async function openModules(
  given: ModulesDeps,
): Promise<{ modules: readonly Module[]; resolvers: IdentityParts["resolvers"] }> {
  const modules: Module[] = [];
  const { module: identity, parts } = await openIdentity(given);
  const { resolvers, messenger } = parts;
  const { audit, limits } = parts.identity;
  const integrations = openIntegrations({ ...given, audit, limits, messenger });
  const toolExecutors = given.toolExecutors ?? integrations.toolExecutors;
  const tools = openTools({ ...given, toolExecutors });
  const deps = { ...given, toolExecutors, controlApiTools: tools.controlApiTools };
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
    integrations.module,
    openWebhooks({ ...deps, audit, messenger, recordingLinks }),
    records.module,
    openChannels({ ...deps, audit, limits, recordings, recordingLinks }),
    tools.module,
    openDemo(deps),
  );
  return { modules, resolvers };
}
