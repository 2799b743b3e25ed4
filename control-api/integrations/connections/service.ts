import type {
  CapabilityEntry,
  ConnectionResult,
  ConnectionRun,
  CreateConnection,
  IntegrationConnection,
  IntegrationProvider,
  OrgConnection,
  UpdateConnection,
  Verification,
} from "@parley/shared/contracts/integrations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { once } from "../../http/idempotency/once.ts";
import { toCapabilities, toProvider } from "../catalog.ts";
import type { Connector } from "../connector.ts";
import type { ConnectionActor, IntegrationParts } from "../deps.ts";
import { authorizeConnection, type BegunAuthorization } from "./authorize.ts";
import { createConnection, resultOf } from "./create.ts";
import { mayConsent } from "./registered.ts";
import { removeConnection } from "./remove.ts";
import { toConnection } from "./rows.ts";
import { latestRuns } from "./runs.ts";
import { findConnection, listConnections } from "./store.ts";
import { changeConnection, existing, NO_CONNECTION, testConnection } from "./update.ts";
import { withUses } from "./uses.ts";

const CREATE_ROUTE = "/api/v1/integrations/connections";

/** Connections for both surfaces: API keys and the dashboard. */
export class IntegrationService {
  readonly #parts: IntegrationParts;

  constructor(parts: IntegrationParts) {
    this.#parts = parts;
  }

  providers(): IntegrationProvider[] {
    return [...this.#parts.connectors.values()].map((connector) => this.#shown(connector));
  }

  capabilities(): CapabilityEntry[] {
    return toCapabilities(this.#parts.connectors.values());
  }

  /** Throws `AppError` not_found. */
  provider(id: string): IntegrationProvider {
    const connector = this.#parts.connectors.get(id);
    if (connector) return this.#shown(connector);
    throw new AppError("not_found", `There is no connector ${id}; see GET /api/v1/integrations/providers.`);
  }

  async list(orgId: string, providerId?: string): Promise<IntegrationConnection[]> {
    const { database, connectors } = this.#parts;
    const rows = await listConnections(
      database.db,
      orgId,
      providerId === undefined ? undefined : [providerId],
    );
    return rows.map((row) => toConnection(row, connectors.get(row.provider_id)));
  }

  /** Throws `AppError` not_found. */
  async get(orgId: string, id: string): Promise<IntegrationConnection> {
    const { row, connector } = await existing(id, orgId, this.#parts);
    return toConnection(row, connector);
  }

  /** Lists connections with the agents that use each, and the vendor's warnings. */
  async listUsed(orgId: string, providerId?: string): Promise<OrgConnection[]> {
    const rows = await listConnections(this.#parts.database.db, orgId);
    const used = await withUses(rows, orgId, this.#parts);
    return used.filter((connection) => providerId === undefined || connection.providerId === providerId);
  }

  /** Throws `AppError` not_found. */
  async getUsed(orgId: string, id: string): Promise<OrgConnection> {
    const found = (await this.listUsed(orgId)).find((connection) => connection.id === id);
    if (found) return found;
    throw new AppError("not_found", NO_CONNECTION);
  }

  /** A connection's recent runs, latest first. Throws `AppError` not_found. */
  async runs(orgId: string, id: string): Promise<ConnectionRun[]> {
    const { row } = await existing(id, orgId, this.#parts);
    return latestRuns(this.#parts.database, { orgId, connectionId: row.id });
  }

  /** Runs once per `Idempotency-Key`. Throws as `createConnection`, and idempotency_key_reused. */
  create(
    body: CreateConnection,
    key: string | undefined,
    actor: ConnectionActor,
  ): Promise<{ result: ConnectionResult; isReplayed: boolean }> {
    const principal = `${actor.orgId}:${actor.kind}:${actor.id}`;
    return once(
      { principal, route: CREATE_ROUTE, key, body, otherBodyIs: "idempotency_key_reused" },
      {
        work: (intend) => createConnection(body, actor, this.#parts, intend),
        recover: (id) => this.#recover(actor.orgId, id),
        spentNothing: () => true,
      },
      this.#parts,
    );
  }

  change(id: string, body: UpdateConnection, actor: ConnectionActor): Promise<ConnectionResult> {
    return changeConnection(id, body, actor, this.#parts);
  }

  test(id: string, actor: ConnectionActor): Promise<Verification> {
    return testConnection(id, actor, this.#parts);
  }

  /** Throws as `authorizeConnection`. */
  authorize(id: string, actor: ConnectionActor): Promise<BegunAuthorization> {
    return authorizeConnection(id, actor, this.#parts);
  }

  baseUrl(): string {
    return this.#parts.baseUrl();
  }

  remove(id: string, actor: ConnectionActor): Promise<void> {
    return removeConnection(id, actor, this.#parts);
  }

  #shown(connector: Connector): IntegrationProvider {
    return toProvider(connector, { consent: mayConsent(connector, this.#parts) });
  }

  /** Recovers the result when the process that created the connection died before it answered. */
  async #recover(orgId: string, id: string): Promise<ConnectionResult | undefined> {
    const { database, connectors } = this.#parts;
    const row = await findConnection(database.db, orgId, id);
    const connector = row && connectors.get(row.provider_id);
    return row && connector && resultOf(row, connector, undefined);
  }
}
