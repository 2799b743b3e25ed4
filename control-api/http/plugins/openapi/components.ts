import { responseSchema, streamMessageSchema } from "@parley/platform/wire/messages.ts";
import * as accounts from "@parley/shared/contracts/accounts.ts";
import * as agents from "@parley/shared/contracts/agents.ts";
import * as analytics from "@parley/shared/contracts/analytics.ts";
import * as apiKeys from "@parley/shared/contracts/api-keys.ts";
import * as appFrames from "@parley/shared/contracts/app-frames.ts";
import * as apps from "@parley/shared/contracts/apps.ts";
import * as batch from "@parley/shared/contracts/batch.ts";
import * as billing from "@parley/shared/contracts/billing.ts";
import * as brain from "@parley/shared/contracts/brain-plan.ts";
import * as callPlan from "@parley/shared/contracts/call-plan.ts";
import * as calls from "@parley/shared/contracts/calls.ts";
import * as campaigns from "@parley/shared/contracts/campaigns.ts";
import * as carriers from "@parley/shared/contracts/carrier-connections.ts";
import * as chat from "@parley/shared/contracts/chat.ts";
import * as clientTokens from "@parley/shared/contracts/client-tokens.ts";
import * as copilot from "@parley/shared/contracts/copilot.ts";
import * as doNotCall from "@parley/shared/contracts/do-not-call.ts";
import { errorBodySchema } from "@parley/shared/contracts/envelope.ts";
import * as instagram from "@parley/shared/contracts/instagram.ts";
import * as integrations from "@parley/shared/contracts/integrations.ts";
import * as invoices from "@parley/shared/contracts/invoices.ts";
import * as knowledge from "@parley/shared/contracts/knowledge.ts";
import * as listeners from "@parley/shared/contracts/listeners.ts";
import * as mcp from "@parley/shared/contracts/mcp.ts";
import * as me from "@parley/shared/contracts/me.ts";
import * as memory from "@parley/shared/contracts/memory.ts";
import * as messaging from "@parley/shared/contracts/messaging.ts";
import * as notices from "@parley/shared/contracts/notices.ts";
import * as operator from "@parley/shared/contracts/operator.ts";
import * as organizations from "@parley/shared/contracts/organizations.ts";
import * as payments from "@parley/shared/contracts/payments.ts";
import * as personalData from "@parley/shared/contracts/personal-data.ts";
import * as pii from "@parley/shared/contracts/pii.ts";
import * as piiVault from "@parley/shared/contracts/pii-vault.ts";
import * as postCallAnalysis from "@parley/shared/contracts/post-call-analysis.ts";
import * as providers from "@parley/shared/contracts/providers.ts";
import * as publicAgents from "@parley/shared/contracts/public-agents.ts";
import * as recordings from "@parley/shared/contracts/recordings.ts";
import * as rehearsals from "@parley/shared/contracts/rehearsals.ts";
import * as retention from "@parley/shared/contracts/retention.ts";
import * as roles from "@parley/shared/contracts/role-schema.ts";
import * as sessions from "@parley/shared/contracts/sessions.ts";
import * as softphones from "@parley/shared/contracts/softphones.ts";
import * as telephony from "@parley/shared/contracts/telephony.ts";
import * as templates from "@parley/shared/contracts/templates.ts";
import * as toolTries from "@parley/shared/contracts/tool-tries.ts";
import * as tracks from "@parley/shared/contracts/tracks.ts";
import * as webhooks from "@parley/shared/contracts/webhooks.ts";
import * as whatsAppCampaigns from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { z } from "zod";

const CONTRACTS = [
  ...[
    accounts,
    agents,
    analytics,
    apiKeys,
    appFrames,
    apps,
    batch,
    billing,
    brain,
    callPlan,
    calls,
    campaigns,
    carriers,
    chat,
    clientTokens,
    copilot,
    doNotCall,
    listeners,
    me,
  ],
  ...[
    integrations,
    invoices,
    knowledge,
    mcp,
    memory,
    messaging,
    instagram,
    operator,
    notices,
    organizations,
    payments,
    personalData,
    pii,
    piiVault,
    postCallAnalysis,
    providers,
    publicAgents,
    recordings,
    rehearsals,
    retention,
    roles,
    sessions,
    softphones,
    telephony,
    templates,
    toolTries,
    tracks,
    webhooks,
    whatsAppCampaigns,
  ],
];

/** Parameters are written out in each operation. */
const PARAMETERS = /(Params|Query|Headers)Schema$/;

interface Component {
  readonly id: string;
  readonly [keyword: string]: unknown;
}

/** Every schema of the contracts under its export name: `createAgentSchema` becomes `CreateAgent`. */
export const componentRegistry = z.registry<Component>();

/** Schemas that are not specific to the REST API. */
const OTHERS = [
  ["errorBodySchema", errorBodySchema],
  ["bridgeMessageSchema", streamMessageSchema],
  ["bridgeResponseSchema", responseSchema],
] as const;

for (const [name, schema] of [...OTHERS, ...CONTRACTS.flatMap(exportedBy)]) {
  if (PARAMETERS.test(name) || componentRegistry.has(schema)) continue;
  componentRegistry.add(schema, { id: componentNameOf(name) });
}

function exportedBy(contract: object): (readonly [string, z.ZodType])[] {
  return Object.entries(contract).filter(
    (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
  );
}

function componentNameOf(name: string): string {
  const id = name.replace(/Schema$/, "");
  return id.charAt(0).toUpperCase() + id.slice(1);
}

/** Every named schema. */
export function componentSchemas(): z.ZodType[] {
  return [...CONTRACTS.flatMap(exportedBy), ...OTHERS]
    .map(([, schema]) => schema)
    .filter((schema) => componentRegistry.has(schema));
}
