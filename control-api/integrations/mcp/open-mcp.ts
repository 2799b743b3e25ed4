import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { McpToolSettings } from "@parley/shared/contracts/tools/mcp.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import { LinkSigner } from "@parley/shared/security/link-signer.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Databases } from "../../database/open.ts";
import type { Limits } from "../../http/limits/limits.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import type { Messenger } from "../../identity/notifications/messenger.ts";
import type { Api } from "../../modules/api.ts";
import { deleteEnded } from "../../modules/delete-ended.ts";
import type { Module } from "../../modules/module.ts";
import type { DataKeys } from "../../sealed/data-keys.ts";
import type { ToolExecutor } from "../../tools/executor.ts";
import { tellOwners } from "../oauth/access-ended.ts";
import { deleteOldConsents } from "../oauth/flow-store.ts";
import { Grants } from "../oauth/grants.ts";
import { EraVerdicts } from "./client/era-verdicts.ts";
import { McpSessions } from "./client/sessions.ts";
import { mcpTools } from "./mcp-tools.ts";
import { mcpRoutes } from "./routes.ts";
import { findMcpConnection } from "./sign-in/connection-store.ts";
import { mcpSignInRoutes } from "./sign-in-routes.ts";
import { ToolLists } from "./tool-lists.ts";

export interface McpDeps {
  readonly config: Pick<Config, "oauthClients">;
  readonly database: Databases;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: SecretBox;
  /** The value of SECRETS_KEY. */
  readonly secretsKey: string;
  readonly limits: Limits;
  readonly audit: Audit;
  readonly messenger: Pick<Messenger, "post">;
  readonly egress: Pick<Egress, "to">;
  readonly baseUrl: () => string;
}

export interface McpModule {
  readonly routes: (app: Api) => void;
  readonly jobs: NonNullable<Module["jobs"]>;
  /** Ends the sessions with servers. */
  readonly stop: () => Promise<void>;
  /** Executes agents' `mcp` tools. */
  readonly tools: ToolExecutor<McpToolSettings>;
}

/** Remote tool servers, and the sign-ins to them. */
export function openMcp(deps: McpDeps & { readonly dataKeys: DataKeys }): McpModule {
  const { clock, database, egress } = deps;
  const eras = new EraVerdicts(clock);
  const grants = new Grants({
    ...deps,
    database: database.background,
    dispatchers: egress.to("mcp"),
    oauthClients: deps.config.oauthClients,
    onDead: ({ orgId, id }, lastError) => {
      const labelOf = async () => (await findMcpConnection(database, orgId, id))?.label;
      void tellOwners({ orgId, id, lastError }, labelOf, deps);
    },
  });
  const signer = new LinkSigner(deps.secretsKey, "oauth-state");
  const sessions = new McpSessions({ egress, clock, eras });
  const lists = new ToolLists(sessions, clock);
  const parts = { ...deps, eras, grants, signer, oauthClients: deps.config.oauthClients };
  return {
    routes: (app) => {
      mcpRoutes(app, parts);
      mcpSignInRoutes(app, parts);
    },
    jobs: [deleteEnded("integrations", [deleteOldConsents], { ...deps, database: database.background })],
    stop: () => sessions.close(),
    tools: mcpTools({ database, grants, sessions, lists }),
  };
}
