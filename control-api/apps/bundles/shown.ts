import type { Manifest } from "@parley/platform/manifest/manifest.ts";
import { iconOf } from "@parley/platform/manifest/surfaces.ts";
import { scopeInWords } from "@parley/platform/methods/scopes.ts";
import {
  type AppProblem,
  type AppSummary,
  type AppUi,
  type AppVersion,
  appProblemSchema,
} from "@parley/shared/contracts/apps.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type AppRow, manifestOf, type VersionRow } from "./store.ts";

/** Scopes in the words shown to administrators. */
export function inWords(scopes: readonly string[]): { scope: string; words: string }[] {
  return scopes.map((scope) => ({ scope, words: scopeInWords(scope) }));
}

export function toVersion(row: VersionRow, { active_version }: Pick<AppRow, "active_version">): AppVersion {
  return {
    version: row.version,
    active: row.version === active_version,
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
    scopes: inWords(row.scopes),
    problems: row.problems.map((one): AppProblem => appProblemSchema.parse(one)),
    sizeBytes: row.size_bytes,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  };
}

/** Apps as an organization sees them, with their install state. */
export async function toSummaries(
  db: Kysely<Tables>,
  orgId: string,
  rows: readonly AppRow[],
): Promise<AppSummary[]> {
  if (rows.length === 0) return [];
  const installs = await db
    .selectFrom("app_installs as installs")
    .innerJoin("app_versions as versions", (join) =>
      join
        .onRef("versions.app_id", "=", "installs.app_id")
        .onRef("versions.version", "=", "installs.version"),
    )
    .select(["installs.app_id", "installs.version", "installs.installed_at", "versions.manifest"])
    .where("installs.org_id", "=", orgId)
    .where(
      "installs.app_id",
      "in",
      rows.map(({ id }) => id),
    )
    .execute();
  const byApp = new Map(installs.map((install) => [install.app_id, install]));
  return rows.map((row) => {
    const install = byApp.get(row.id);
    return {
      id: row.id,
      manifestId: row.manifest_id,
      name: row.name,
      description: row.description,
      own: row.org_id === orgId,
      listed: row.listed,
      activeVersion: row.active_version,
      install: install
        ? {
            version: install.version,
            needsConsent: row.active_version !== null && install.version !== row.active_version,
            installedAt: install.installed_at.toISOString(),
            ui: uiOf(manifestOf(install)),
          }
        : null,
    };
  });
}

function uiOf({ ui }: Manifest): AppUi {
  return {
    pages: ui.pages.map(({ id, title, icon, menu = false, group }) => ({
      id,
      title,
      icon: iconOf(icon),
      menu,
      group: group ?? null,
    })),
    extensions: (ui.extensions ?? []).map(({ slot, page_id, pageId, title, icon }) => ({
      slot,
      pageId: page_id ?? pageId ?? "",
      title,
      icon: iconOf(icon),
    })),
    contributions: (ui.contributions ?? []).map(({ pageId, modal = false, align, ...rest }) => ({
      ...rest,
      pageId: pageId ?? null,
      modal,
      align: align ?? null,
    })),
    hasStyles: ui.styles !== undefined,
  };
}
