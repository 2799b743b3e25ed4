import type { Clock } from "@parley/shared/clock.ts";
import {
  type ChangePublicAgent,
  type PublicAgent,
  publicSettingsSchema,
} from "@parley/shared/contracts/public-agents.ts";
import { hashAccessCode } from "@parley/shared/security/access-codes.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { noSuchAgent } from "../agents/agents.ts";
import { findAgent } from "../agents/store.ts";
import { findBySlug, findPublicAgent, type StoredPublicAgent, savePublicAgent } from "./store.ts";

const SLUG_BYTES = 6;
const MAX_NAME_CHARS = 40;

export interface PublicAgentDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  /** The base URL of this API as people reach it. */
  readonly baseUrl: () => string;
}

/** Who makes the change: a person, a key, or an app's key. */
export interface ChangedBy {
  readonly orgId: string;
  readonly actor: { readonly kind: "user" | "key"; readonly id: string };
  readonly client: Client;
}

/** How the public reaches an agent; one that was never public has no address. Throws `AppError` not_found. */
export async function readPublicAgent(
  { orgId, agentId }: { readonly orgId: string; readonly agentId: string },
  { database, baseUrl }: Pick<PublicAgentDeps, "database" | "baseUrl">,
): Promise<PublicAgent> {
  if (!(await findAgent(database, orgId, agentId))) throw noSuchAgent();
  return toPublicAgent(await findPublicAgent(database.db, orgId, agentId), baseUrl());
}

/**
 * Changes the public page; omitted fields stay, even while the agent is private: its address, code, look and sites
 * return when it is public again. Throws `AppError` not_found.
 */
export async function changePublicAgent(
  agentId: string,
  { isPublic, accessCode, ...settings }: ChangePublicAgent,
  { orgId, actor, client }: ChangedBy,
  { database, clock, audit, baseUrl }: PublicAgentDeps,
): Promise<PublicAgent> {
  const agent = await findAgent(database, orgId, agentId);
  if (!agent) throw noSuchAgent();
  const newHash = accessCode ? await hashAccessCode(accessCode) : null;
  const saved = await database.db.transaction().execute(async (trx) => {
    // Serializes concurrent changes: the second sees the result of the first.
    await trx.selectFrom("agents").select("id").where("id", "=", agentId).forUpdate().execute();
    const before = await findPublicAgent(trx, orgId, agentId);
    return savePublicAgent(trx, {
      agent_id: agentId,
      org_id: orgId,
      slug: before?.slug ?? slugFor(agent.name),
      is_public: isPublic ?? before?.is_public ?? false,
      settings: publicSettingsSchema.parse({ ...before?.settings, ...settings }),
      code_hash: accessCode === undefined ? (before?.code_hash ?? null) : newHash,
      changed_by: actor.id,
      updated_at: new Date(clock.wallMs()),
    });
  });
  const fields = Object.keys({ ...settings, ...(accessCode === undefined ? {} : { accessCode }) });
  const details = { agentId, isPublic: saved.is_public, fields };
  await audit.write({ action: "agent.public_changed", orgId, actor, client, details });
  return toPublicAgent(saved, baseUrl());
}

/** Looks up the sites that may embed a public agent's page; none if there is no such agent. */
export function embedOriginsOf({ db }: Database): (slug: string) => Promise<readonly string[]> {
  return async (slug) => {
    const agent = await findBySlug(db, slug);
    return agent ? publicSettingsSchema.parse(agent.settings).embedOrigins : [];
  };
}

function toPublicAgent(row: StoredPublicAgent | undefined, baseUrl: string): PublicAgent {
  const settings = publicSettingsSchema.parse(row?.settings ?? {});
  if (!row) {
    const link = { isPublic: false, slug: null, publicUrl: null, embedSnippet: null };
    return { ...link, ...settings, hasAccessCode: false };
  }
  const { accent } = settings.branding;
  const colored = accent === undefined ? "" : ` data-accent="${accent}"`;
  return {
    isPublic: row.is_public,
    slug: row.slug,
    publicUrl: `${baseUrl}/a/${row.slug}`,
    embedSnippet: `<script src="${baseUrl}/embed.js" data-agent="${row.slug}"${colored} async></script>`,
    ...settings,
    hasAccessCode: row.code_hash !== null,
  };
}

/** `front-desk-x7k2m9ab`: unique, and not to be guessed from the name. */
function slugFor(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME_CHARS)
    .replaceAll(/^-+|-+$/g, "");
  const unguessable = Buffer.from(randomToken(SLUG_BYTES), "base64url").toString("hex");
  return `${plain || "agent"}-${unguessable}`;
}
