import type { Config } from "@parley/shared/config/config.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import { LinkSigner } from "@parley/shared/security/link-signer.ts";
import { deleteEnded } from "../modules/delete-ended.ts";
import type { Module } from "../modules/module.ts";
import { DataKeys } from "../sealed/data-keys.ts";
import type { ToolExecutors } from "../tools/executor.ts";
import { type AuthorizedRequest, authorizedHeaders } from "./authorized-headers.ts";
import { deleteOldRuns, eraseRuns } from "./connections/runs.ts";
import { IntegrationService } from "./connections/service.ts";
import { markAccessEnded } from "./connections/store.ts";
import { connectionTroubles } from "./connections/troubles.ts";
import { connectorTools } from "./connector-tools.ts";
import { BOOKINGS, eraseBookings } from "./connectors/demo-shop/bookings.ts";
import { CONNECTORS } from "./connectors/index.ts";
import { integrationConsentRoutes } from "./consent-routes.ts";
import { connectDemoShop } from "./demo-shop.ts";
import type { IntegrationParts } from "./deps.ts";
import { type McpDeps, openMcp } from "./mcp/open-mcp.ts";
import { tellOwners } from "./oauth/access-ended.ts";
import { consentTokens } from "./oauth/consent-tokens.ts";
import type { GrantRef } from "./oauth/grant-store.ts";
import { Grants } from "./oauth/grants.ts";
import { integrationOrgRoutes } from "./org-routes.ts";
import { type CapabilityRequest, type CapabilityResult, runCapability } from "./run-capability.ts";
import { integrationV1Routes } from "./v1-routes.ts";
import { VendorCircuits } from "./vendor/circuits.ts";
import { MintedTokens } from "./vendor/minted-tokens.ts";
import type { Run } from "./vendor/open-context.ts";

export interface IntegrationsDeps extends McpDeps {
  readonly config: Pick<Config, "integrations" | "oauthClients">;
  readonly metrics: Metrics;
  readonly egress: Pick<Egress, "to" | "socketsTo">;
}

export interface Integrations {
  readonly module: Module;
  /** Connects the built-in shop for an organization that has none yet. */
  readonly connectDemoShop: (owner: { readonly orgId: string; readonly userId: string }) => Promise<void>;
  /** Runs one capability in an organization's account; `runCapability` documents what it throws. */
  readonly run: (request: CapabilityRequest, run: Run) => Promise<CapabilityResult>;
  /** The headers for a request that an app makes; `authorizedHeaders` documents what it throws. */
  readonly authorize: (request: AuthorizedRequest, run: Run) => Promise<Readonly<Record<string, string>>>;
  /** Executors of agents' tools in other systems, by kind. */
  readonly toolExecutors: ToolExecutors;
}

/** Agents' access to other systems: connected vendor accounts and remote tool servers. */
export function openIntegrations(deps: IntegrationsDeps): Integrations {
  const parts = openParts(deps);
  const service = new IntegrationService(parts);
  const mcp = openMcp({ ...deps, dataKeys: parts.dataKeys });
  const run: Integrations["run"] = (request, of) => runCapability(request, of, parts);
  return {
    module: {
      name: "integrations",
      routes: (app) => {
        integrationV1Routes(app, service);
        integrationOrgRoutes(app, service);
        integrationConsentRoutes(app, parts);
        mcp.routes(app);
      },
      jobs: [
        ...mcp.jobs,
        deleteEnded("connection_runs", [deleteOldRuns], { ...deps, database: deps.database.background }),
      ],
      personalData: [BOOKINGS, { name: "connection-runs", tables: ["connection_runs"] }],
      eraseContent: async (trx, erased) => {
        await eraseBookings(trx, erased);
        await eraseRuns(trx, erased);
      },
      troubles: connectionTroubles(deps.database),
      stop: mcp.stop,
    },
    connectDemoShop: (owner) => connectDemoShop(owner, parts),
    run,
    authorize: (request, of) => authorizedHeaders(request, of, parts),
    toolExecutors: { connector: connectorTools({ ...parts, run }), mcp: mcp.tools },
  };
}

function openParts(deps: IntegrationsDeps): IntegrationParts {
  const { config, database, clock, log, metrics, secrets, audit, limits, egress, baseUrl } = deps;
  const { oauthClients } = config;
  const dataKeys = new DataKeys({ secrets, nowMs: () => clock.wallMs() });
  const grants = new Grants({
    ...{ database: database.background, clock, log, secrets, dataKeys, oauthClients },
    dispatchers: egress.to("integration"),
    onDead: (ref, lastError) => void accessEnded(ref, lastError, deps),
  });
  return {
    database,
    clock,
    log,
    audit,
    limits,
    dataKeys,
    connectors: new Map(CONNECTORS.map((connector) => [connector.id, connector])),
    network: {
      dispatchers: egress.to("integration"),
      sockets: egress.socketsTo("integration"),
      circuits: new VendorCircuits(clock),
      clock,
      metrics,
      vendorUrls: config.integrations.vendorUrls,
    },
    minted: new MintedTokens(clock),
    consentTokens: consentTokens(grants, clock),
    grants,
    consents: { database, clock, secrets, signer: new LinkSigner(deps.secretsKey, "oauth-state") },
    oauthClients,
    baseUrl,
  };
}

/** Never rejects. */
function accessEnded(ref: GrantRef, lastError: string, deps: IntegrationsDeps): Promise<void> {
  const mark = async () => (await markAccessEnded(deps.database.db, { ...ref, lastError }))?.label;
  return tellOwners({ ...ref, lastError }, mark, deps);
}
