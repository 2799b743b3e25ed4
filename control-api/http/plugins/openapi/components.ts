import * as accounts from "@parley/shared/contracts/accounts.ts";
import * as agents from "@parley/shared/contracts/agents.ts";
import * as apiKeys from "@parley/shared/contracts/api-keys.ts";
import * as brain from "@parley/shared/contracts/brain-plan.ts";
import * as callPlan from "@parley/shared/contracts/call-plan.ts";
import * as calls from "@parley/shared/contracts/calls.ts";
import * as carriers from "@parley/shared/contracts/carriers.ts";
import * as chat from "@parley/shared/contracts/chat.ts";
import * as clientTokens from "@parley/shared/contracts/client-tokens.ts";
import { errorBodySchema } from "@parley/shared/contracts/envelope.ts";
import * as integrations from "@parley/shared/contracts/integrations.ts";
import * as listeners from "@parley/shared/contracts/listeners.ts";
import * as mcp from "@parley/shared/contracts/mcp.ts";
import * as me from "@parley/shared/contracts/me.ts";
import * as organizations from "@parley/shared/contracts/organizations.ts";
import * as pii from "@parley/shared/contracts/pii.ts";
import * as providers from "@parley/shared/contracts/providers.ts";
import * as recordings from "@parley/shared/contracts/recordings.ts";
import * as retention from "@parley/shared/contracts/retention.ts";
import * as roles from "@parley/shared/contracts/roles.ts";
import * as sessions from "@parley/shared/contracts/sessions.ts";
import * as softphones from "@parley/shared/contracts/softphones.ts";
import * as telephony from "@parley/shared/contracts/telephony.ts";
import * as tracks from "@parley/shared/contracts/tracks.ts";
import * as webhooks from "@parley/shared/contracts/webhooks.ts";
import { z } from "zod";

const CONTRACTS = [
  ...[accounts, agents, apiKeys, brain, callPlan, calls, carriers, chat, clientTokens, listeners, me],
  ...[
    integrations,
    mcp,
    organizations,
    pii,
    providers,
    recordings,
    retention,
    roles,
    sessions,
    softphones,
    telephony,
    tracks,
    webhooks,
  ],
];

/** Parameters are written out at each operation. */
const PARAMETERS = /(Params|Query|Headers)Schema$/;

interface Component {
  readonly id: string;
  readonly [keyword: string]: unknown;
}

/** Every schema of the contracts under the name it is exported by: `createAgentSchema` is `CreateAgent`. */
export const componentRegistry = z.registry<Component>();

for (const [name, schema] of [
  ["errorBodySchema", errorBodySchema] as const,
  ...CONTRACTS.flatMap(exportedBy),
]) {
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

/** Every schema that has a name. */
export function componentSchemas(): z.ZodType[] {
  return CONTRACTS.flatMap(exportedBy)
    .map(([, schema]) => schema)
    .concat(errorBodySchema)
    .filter((schema) => componentRegistry.has(schema));
}
