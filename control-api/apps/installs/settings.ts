import type { ManifestSetting } from "@parley/platform/manifest/manifest.ts";
import type { AppSetting } from "@parley/shared/contracts/apps.ts";
import { AppError, fieldError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { DataKeys } from "../../sealed/data-keys.ts";
import type { DataKeyColumn } from "../../sealed/roll-data-keys.ts";

type Db = Kysely<Tables>;
type Plain = Readonly<Record<string, string | boolean>>;
/** Null removes a value. */
export type SettingChanges = Readonly<Record<string, string | boolean | null>>;

interface Install {
  readonly orgId: string;
  readonly appId: string;
}

const secretId = ({ orgId, appId }: Install, key: string): string => `${orgId}:${appId}:${key}`;
const rowOf = (id: string): string => `app-secret:${id}`;

/** The sealed column, for data key rotation. */
export const APP_SECRETS: DataKeyColumn = { table: "app_secrets", column: "sealed", row: rowOf };

/** Settings as their page shows them: of a secret, only whether it is set. */
export function shownSettings(
  settings: readonly ManifestSetting[],
  plain: Plain,
  secretKeys: ReadonlySet<string>,
): AppSetting[] {
  return settings.map(({ key, label, type, required = false, default: given }) => {
    const value = type === "secret" ? null : (ownValue(plain, key) ?? given ?? null);
    const isSet = type === "secret" ? secretKeys.has(key) : value !== null && value !== "";
    return { key, label, type, required, value, isSet };
  });
}

/** The settings a frame starts with: texts and booleans with defaults, never a secret. */
export function frameSettings(
  settings: readonly ManifestSetting[],
  plain: Plain,
): Record<string, string | boolean> {
  return Object.fromEntries(
    settings.flatMap(({ key, type, default: given }) => {
      const value = type === "secret" ? undefined : (ownValue(plain, key) ?? given);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/**
 * Changes settings: returns texts and booleans, stores secrets in their table. Throws `AppError` validation_failed,
 * naming the setting.
 */
export async function applyChanges(
  trx: Db,
  install: Install,
  {
    settings,
    plain,
    changes,
  }: { settings: readonly ManifestSetting[]; plain: Plain; changes: SettingChanges },
  dataKeys: DataKeys,
): Promise<Plain> {
  const next: Record<string, string | boolean> = { ...plain };
  for (const [key, value] of Object.entries(changes)) {
    const setting = settings.find((one) => one.key === key);
    assertFits(setting, key, value);
    if (setting.type === "secret")
      await putSecret(trx, install, { key, value: String(value ?? "") }, dataKeys);
    else if (value === null) delete next[key];
    else next[key] = value;
  }
  return next;
}

function assertFits(
  setting: ManifestSetting | undefined,
  key: string,
  value: string | boolean | null,
): asserts setting is ManifestSetting {
  const field = `settings.${key}`;
  if (!setting) throw fieldError("validation_failed", field, `The app has no setting ${key}.`);
  const wanted = setting.type === "boolean" ? "boolean" : "string";
  if (value !== null && typeof value !== wanted)
    throw fieldError("validation_failed", field, `${setting.label} must be a ${wanted}.`);
}

/** Stores a secret; an empty one removes it. */
async function putSecret(
  trx: Db,
  install: Install,
  { key, value }: { readonly key: string; readonly value: string },
  dataKeys: DataKeys,
): Promise<void> {
  const { orgId: org_id, appId: app_id } = install;
  if (value === "") {
    await trx
      .deleteFrom("app_secrets")
      .where("org_id", "=", org_id)
      .where("app_id", "=", app_id)
      .where("key", "=", key)
      .execute();
    return;
  }
  const id = secretId(install, key);
  const { sealed, dataKeyId: data_key_id } = await dataKeys.seal(
    trx,
    { orgId: org_id, row: rowOf(id) },
    value,
  );
  await trx
    .insertInto("app_secrets")
    .values({ id, org_id, app_id, key, sealed, data_key_id })
    .onConflict((conflict) =>
      conflict.columns(["org_id", "app_id", "key"]).doUpdateSet({ sealed, data_key_id }),
    )
    .execute();
}

export async function secretKeysOf(db: Db, { orgId, appId }: Install): Promise<Set<string>> {
  const rows = await db
    .selectFrom("app_secrets")
    .select("key")
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** A secret in the clear, for the server's own requests. Throws `AppError` not_found when it is not set. */
export async function openSecret(db: Db, install: Install, key: string, dataKeys: DataKeys): Promise<string> {
  const row = await db
    .selectFrom("app_secrets")
    .select(["sealed", "data_key_id as dataKeyId"])
    .where("org_id", "=", install.orgId)
    .where("app_id", "=", install.appId)
    .where("key", "=", key)
    .executeTakeFirst();
  if (!row)
    throw new AppError("not_found", `The secret ${key} is not set. An admin can set it on the app's page.`);
  return dataKeys.open(db, { orgId: install.orgId, row: rowOf(secretId(install, key)) }, row);
}

function ownValue(plain: Plain, key: string): string | boolean | undefined {
  return Object.hasOwn(plain, key) ? plain[key] : undefined;
}
