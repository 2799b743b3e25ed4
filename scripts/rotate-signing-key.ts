/**
 * Rotates the key that signs access tokens before its month is over, for example after a person who could read
 * SECRETS_KEY has left. The new key is published at once and signs ten minutes later; no one is signed out. Reads the
 * same environment as the control API.
 *
 * Usage: node scripts/rotate-signing-key.ts
 */

import { migrateToLatest } from "@parley/control-api/database/migrate.ts";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { SigningKeys } from "@parley/control-api/identity/sign-ins/signing-keys.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { createLogger } from "@parley/shared/log.ts";
import { loadKeys } from "@parley/shared/security/local-keys.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";

const config = loadConfig(process.env);
const { databaseUrl, directUrl, dataDir } = config.storage;
const database = await openDatabase({ databaseUrl, directUrl, dataDir });
await migrateToLatest(database.db);
const keys = await SigningKeys.open({
  database,
  secrets: new SecretBox((await loadKeys(config)).secretsKey),
  clock: systemClock,
  log: createLogger({ level: "warn", format: "pretty", name: "rotate-signing-key" }),
});
await keys.rotate();
const published = keys.jwks().keys.map(({ kid }) => kid);
console.log(`Published: ${published.join(", ")}. The last one signs in ten minutes.`);
keys.close();
await database.close();
