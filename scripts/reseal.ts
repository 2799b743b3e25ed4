/**
 * Seals every stored secret with the first key of SECRETS_KEY, so that the others can be removed
 * (docs/operations.md#keys). Safe to run beside live traffic, and to restart after an interruption. Reads the same
 * environment as the control API, whose database must be up to date. Exits 1 while a key other than the first is still
 * needed.
 *
 * Usage: node scripts/reseal.ts [--count] [--data-keys]      --count changes nothing; --data-keys first gives each
 * organization a new data key, and reseals its connections' credentials, the access that people granted, its vault and
 * its apps' secrets
 */

import { VAULT_VALUES } from "@parley/control-api/analysis/vault/store.ts";
import { APP_SECRETS } from "@parley/control-api/apps/installs/settings.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { CONNECTION_CREDENTIALS } from "@parley/control-api/integrations/connections/rows.ts";
import { GRANTS } from "@parley/control-api/integrations/oauth/sealed-grants.ts";
import { DataKeys } from "@parley/control-api/sealed/data-keys.ts";
import { reseal } from "@parley/control-api/sealed/reseal.ts";
import { rollDataKeys } from "@parley/control-api/sealed/roll-data-keys.ts";
import { listStoredKeys } from "@parley/control-api/sealed/stored-keys.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { loadKeys } from "@parley/shared/security/local-keys.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";

const config = loadConfig(process.env);
const { databaseUrl, directUrl, dataDir } = config.storage;
const secrets = new SecretBox((await loadKeys(config)).secretsKey);
const database = await openDatabase({ databaseUrl, directUrl, dataDir });
if (process.argv.includes("--data-keys") && !process.argv.includes("--count")) {
  const dataKeys = new DataKeys({ secrets, nowMs: () => Date.now() });
  const rolled = await rollDataKeys([CONNECTION_CREDENTIALS, GRANTS, VAULT_VALUES, APP_SECRETS], {
    database: database.background,
    dataKeys,
  });
  console.log(
    `${String(rolled.resealed).padStart(8)} resealed  credentials of connections, access by consent, values of the vault and secrets of apps, with new data keys of ${rolled.orgs} organizations`,
  );
}
if (!process.argv.includes("--count")) {
  for (const { kind, resealed, unopenable } of await reseal({ database: database.background, secrets })) {
    console.log(
      `${String(resealed).padStart(8)} resealed  ${kind}${unopenable > 0 ? `; ${unopenable} cannot be opened` : ""}`,
    );
  }
}
const left = (await listStoredKeys(database.background)).filter(
  ({ keyId }) => keyId !== secrets.sealingKeyId,
);
for (const { kind, keyId, secrets: count } of left) {
  const isLost = !secrets.keyIds.includes(keyId);
  console.log(
    `${String(count).padStart(8)} left      ${kind}, sealed with "${keyId}"${isLost ? ", which SECRETS_KEY lacks" : ""}`,
  );
}
const keys = [...new Set(left.map(({ keyId }) => keyId))];
console.log(
  keys.length === 0
    ? `Every stored secret is sealed with "${secrets.sealingKeyId}"; the other keys can go.`
    : `Still needed: ${keys.join(", ")}.`,
);
await database.close();
process.exitCode = keys.length === 0 ? 0 : 1;
