import type { LinkSpec } from "@parley/platform/methods/links.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { hashAccessCode } from "@parley/shared/security/access-codes.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import { findByAgent, findBySlug, type VisitedAgent } from "../../agents/public/store.ts";
import type { Database } from "../../database/open.ts";
import type { BridgeCaller } from "../bridge/caller.ts";
import type { Handlers } from "../bridge/handlers.ts";
import { holdInstall } from "../installs/store.ts";
import { contextOf, LINK_ACTIONS } from "./context.ts";
import { insertLink, listLinks, revokeLink, type StoredLink } from "./store.ts";

const TOKEN_BYTES = 24;
const LISTED = 1_000;

export interface LinkDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** The base URL of this API as people reach it. */
  readonly baseUrl: () => string;
}

/** `links.…`: one-time links by which an outsider begins a conversation. Tokens are stored as hashes. */
export function linkMethods({ database, clock, baseUrl }: LinkDeps): Handlers {
  return {
    "links.mint": async ({ spec }, { caller }) => {
      const agent = await targetOf(spec, caller, database);
      const token = randomToken(TOKEN_BYTES);
      const id = newId("lnk");
      const nowMs = clock.wallMs();
      const expiresAt = new Date(nowMs + spec.ttlSecs * 1_000);
      const { orgId, appId, userId } = caller;
      const link = {
        ...{ id, orgId, appId, tokenHash: sha256Hex(token), createdBy: userId },
        ...{ action: spec.action, targetType: spec.targetType, targetId: spec.targetId },
        context: { ...spec.context, slug: agent.slug },
        singleUse: spec.singleUse ?? false,
        codeHash: spec.code === undefined ? null : await hashAccessCode(spec.code),
        at: new Date(nowMs),
        expiresAt,
      };
      await database.db.transaction().execute(async (trx) => {
        await holdInstall(trx, orgId, appId);
        await insertLink(trx, link);
      });
      return { id, url: `${baseUrl()}/l/${token}`, expiresAt: expiresAt.toISOString() };
    },
    "links.list": async (_, { caller: { orgId, appId } }) => {
      const links = await listLinks(database.db, { orgId, appId, limit: LISTED });
      return links.map(toLink);
    },
    "links.revoke": async ({ id }, { caller: { orgId, appId } }) => {
      const at = new Date(clock.wallMs());
      return { revoked: await revokeLink(database.db, { orgId, appId, id, at }) };
    },
  };
}

/**
 * The agent a link leads to, by `context.slug` or else the target itself; it must be public and of this organization.
 * Throws `BridgeError` invalid_arguments, not_found.
 */
async function targetOf(
  { action, targetType, targetId, context = {} }: LinkSpec,
  { orgId }: BridgeCaller,
  { db }: Database,
): Promise<VisitedAgent> {
  if (!(action in LINK_ACTIONS))
    throw new BridgeError(
      "invalid_arguments",
      `There is no action ${action}; there are ${Object.keys(LINK_ACTIONS).join(" and ")}.`,
    );
  const { slug } = contextOf(context);
  if (slug === undefined && targetType !== "agent")
    throw new BridgeError("invalid_arguments", `${action} takes the agent's slug in its context.`);
  const agent = slug === undefined ? await findByAgent(db, targetId) : await findBySlug(db, slug);
  if (agent?.org_id !== orgId)
    throw new BridgeError("not_found", "There is no such public agent here; make it public first.");
  return agent;
}

function toLink(link: StoredLink) {
  return {
    id: link.id,
    action: link.action,
    targetType: link.target_type,
    targetId: link.target_id,
    singleUse: link.single_use,
    createdAt: link.created_at.toISOString(),
    expiresAt: link.expires_at.toISOString(),
    usedAt: link.used_at?.toISOString() ?? null,
    revokedAt: link.revoked_at?.toISOString() ?? null,
  };
}
