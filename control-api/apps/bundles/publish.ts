import type { AppSummary, AppVersion } from "@parley/shared/contracts/apps.ts";
import { rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { ActingClient } from "../../agents/agents/agents.ts";
import type { Tables } from "../../database/tables.ts";
import { lockRole } from "../../identity/memberships/store.ts";
import type { By } from "../../identity/orgs/members.ts";
import type { AppParts } from "../deps.ts";
import { readZip } from "./read-zip.ts";
import { toSummaries, toVersion } from "./shown.ts";
import {
  type AppRow,
  activateVersion,
  countVersions,
  existingVersion,
  insertVersion,
  lockOwnApp,
  type VersionRow,
  withdrawVersion,
} from "./store.ts";

/** Across all apps of an organization; each version may have 30 MB. */
const MAX_VERSIONS = 200;
const MAX_SHOWN_PROBLEMS = 50;
const PUBLISHERS = rolesWith("manage_publish");

export interface Published {
  readonly app: AppSummary;
  readonly version: AppVersion;
}

/**
 * Publishes a zip as a version, and activates it on request. Throws `AppError` validation_failed with
 * `details.problems`, payload_too_large, conflict (the version exists, too many versions), too_many_requests.
 */
export async function publish(
  { zip, activate }: { readonly zip: Buffer; readonly activate: boolean },
  by: ActingClient,
  parts: AppParts,
): Promise<Published> {
  const { database, clock, limits, checks } = parts;
  const { orgId, userId } = by.actor;
  await limits.take("app_uploads_per_organization", orgId);
  const files = await readZip(zip);
  const { manifest, problems, isPublishable } = await checks.check(files);
  if (!manifest || !isPublishable) throw unpublishable(problems);
  const at = new Date(clock.wallMs());
  const { app, version } = await database.db.transaction().execute(async (trx) => {
    // Keys are not rechecked: one revoked meanwhile still publishes what it uploaded before.
    if (by.actor.kind === "member") await lockRole(trx, by.actor, PUBLISHERS);
    if ((await countVersions(trx, orgId)) >= MAX_VERSIONS)
      throw new AppError("conflict", `An organization has at most ${MAX_VERSIONS} versions of apps.`);
    const made = await insertVersion(trx, {
      ...{ orgId, manifest, problems, files, at },
      by: userId,
      newAppId: newId("app"),
    });
    if (!activate) return made;
    await activateVersion(trx, made.version, at);
    return { ...made, app: { ...made.app, active_version: manifest.version } };
  });
  const details = {
    appId: app.id,
    manifestId: app.manifest_id,
    version: version.version,
    activated: activate,
  };
  await write("app.published", details, by, parts);
  return { app: await summaryOf(database.db, orgId, app), version: toVersion(version, app) };
}

/**
 * Activates a version, newer or, to roll back, older. Throws `AppError` not_found, conflict for a withdrawn one.
 */
export async function activate(
  { appId, version }: { readonly appId: string; readonly version: string },
  by: By,
  parts: AppParts,
): Promise<AppVersion> {
  const at = new Date(parts.clock.wallMs());
  const done = await change({ appId, version }, by, parts, async (trx, app, row) => {
    if (row.withdrawn_at)
      throw new AppError("conflict", `Version ${version} was withdrawn; activate another one.`);
    const installs = await activateVersion(trx, row, at);
    return { app: { ...app, active_version: version }, row, installs };
  });
  await write("app.version_activated", { appId, version, installs: done.installs }, by, parts);
  return toVersion(done.row, done.app);
}

/** Stops a version everywhere, in open frames too. Throws `AppError` not_found, conflict for the active one. */
export async function withdraw(
  { appId, version }: { readonly appId: string; readonly version: string },
  by: By,
  parts: AppParts,
): Promise<AppVersion> {
  const at = new Date(parts.clock.wallMs());
  const done = await change({ appId, version }, by, parts, async (trx, app, row) => {
    if (app.active_version === version)
      throw new AppError("conflict", `Version ${version} is the active one; activate another one first.`);
    return { app, row: row.withdrawn_at ? row : await withdrawVersion(trx, row, at) };
  });
  await write("app.version_withdrawn", { appId, version }, by, parts);
  return toVersion(done.row, done.app);
}

async function change<T>(
  { appId, version }: { readonly appId: string; readonly version: string },
  by: By,
  { database }: AppParts,
  work: (trx: Kysely<Tables>, app: AppRow, row: VersionRow) => Promise<T>,
): Promise<T> {
  return database.db.transaction().execute(async (trx) => {
    await lockRole(trx, by.actor, PUBLISHERS);
    const app = await lockOwnApp(trx, by.actor.orgId, appId);
    return work(trx, app, await existingVersion(trx, appId, version));
  });
}

async function summaryOf(db: Kysely<Tables>, orgId: string, app: AppRow): Promise<AppSummary> {
  const [summary] = await toSummaries(db, orgId, [app]);
  if (!summary) throw new AppError("internal", "An app that was published is not there.");
  return summary;
}

function unpublishable(
  problems: readonly { readonly severity: string; readonly message: string }[],
): AppError {
  const errors = problems.filter(({ severity }) => severity === "error");
  const more = errors.length > 1 ? ` And ${errors.length - 1} more; see details.problems.` : "";
  return new AppError(
    "validation_failed",
    `The bundle cannot be published: ${errors[0]?.message ?? ""}${more}`,
    {
      details: { problems: problems.slice(0, MAX_SHOWN_PROBLEMS) },
    },
  );
}

async function write(
  action: string,
  details: Readonly<Record<string, unknown>>,
  { actor, client }: ActingClient,
  { audit }: AppParts,
): Promise<void> {
  const { orgId } = actor;
  const who =
    actor.kind === "key"
      ? ({ kind: "key", id: actor.keyId } as const)
      : ({ kind: "user", id: actor.userId } as const);
  await audit.write({ action, orgId, actor: who, client, details });
}
