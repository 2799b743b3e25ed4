import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Database } from "../../database/open.ts";
import type { Client } from "../../http/plugins/client.ts";
import { insertAuditEvent } from "./store.ts";

export interface AuditEntry {
  /** `area.what_happened`. */
  readonly action: string;
  readonly outcome?: "success" | "failure";
  readonly orgId?: string | undefined;
  /** The user whose credentials it concerns. */
  readonly userId?: string | undefined;
  /** Who did it, if not the user. */
  readonly actor?: { readonly kind: "user" | "key"; readonly id: string } | undefined;
  readonly client: Client;
  /** Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Records what happens to credentials, failures included; rows never change. */
export class Audit {
  readonly #deps: { readonly database: Database; readonly clock: Clock };

  constructor(deps: { readonly database: Database; readonly clock: Clock }) {
    this.#deps = deps;
  }

  /** Resolves once written, so that every answer has its audit trail. */
  async write({
    action,
    outcome = "success",
    orgId,
    userId,
    actor,
    client,
    details,
  }: AuditEntry): Promise<void> {
    const who = actor ?? (userId === undefined ? undefined : { kind: "user" as const, id: userId });
    await insertAuditEvent(this.#deps.database, {
      id: newId("aud"),
      org_id: orgId ?? null,
      user_id: userId ?? null,
      actor_kind: who?.kind ?? "nobody",
      actor_id: who?.id ?? null,
      action,
      outcome,
      ip: client.ip,
      user_agent: client.userAgent,
      details: JSON.stringify(details ?? {}),
      at: new Date(this.#deps.clock.wallMs()),
    });
  }
}
