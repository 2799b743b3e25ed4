/**
 * Lends a WhatsApp number of the operator's own business account to an organization. Reads the same environment as the
 * control API, and the number with the credentials of the operator's Meta app as JSON from standard input:
 * {"phoneNumberId": "…", "businessAccountId": "…", "accessToken": "…", "appSecret": "…"}
 *
 * Usage: node scripts/lend-whatsapp-number.ts <orgId> < number.json
 */
import { text } from "node:stream/consumers";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { lendNumber } from "@parley/control-api/messaging/channels/managed.ts";
import { webhookPath } from "@parley/control-api/messaging/webhook/webhook-path.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { connectChannelSchema } from "@parley/shared/contracts/messaging.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { Egress } from "@parley/shared/net/egress.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { loadKeys } from "@parley/shared/security/local-keys.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";

const [orgId] = process.argv.slice(2);
const config = loadConfig(process.env);
const { databaseUrl, directUrl } = config.storage;
if (orgId === undefined || databaseUrl === undefined) {
  console.error(
    orgId === undefined
      ? "Usage: lend-whatsapp-number.ts <orgId> < number.json"
      : "DATABASE_URL is not set. The embedded database can be used by its own process only.",
  );
  process.exit(1);
}
const number = readNumber(await text(process.stdin));
if (!number) {
  console.error(
    "Standard input must be JSON with phoneNumberId, businessAccountId, accessToken and appSecret.",
  );
  process.exit(1);
}
const secrets = new SecretBox((await loadKeys(config)).secretsKey);
const names = new NameLookups({
  resolve: createSystemResolver({ clock: systemClock, servers: config.dns.servers }),
  clock: systemClock,
});
const { allowPrivateTargets = [] } = config.security;
const egress = new Egress({ allowPrivateTargets, names, clock: systemClock, metrics: createMetrics() });
const reach = { dispatchers: egress.to("messaging"), vendorUrls: config.integrations.vendorUrls };
const database = await openDatabase({ databaseUrl, directUrl });
try {
  const deps = { database, secrets, reach, nowMs: () => Date.now() };
  const { channelId, phone, verifyToken } = await lendNumber({ orgId, ...number }, deps);
  console.log(`${phone ?? number.phoneNumberId} is lent to ${orgId} as ${channelId}.`);
  console.log(`For the first number of your Meta app, enter there: ${webhookPath("whatsapp", channelId)}`);
  console.log(`on this installation's public address, with the verify token ${verifyToken}`);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  await egress.close();
  await database.close();
}

/** Undefined for anything else. What is wrong with it is not told, as it has secrets. */
function readNumber(input: string) {
  try {
    return connectChannelSchema.omit({ name: true, agentId: true }).parse(JSON.parse(input));
  } catch {
    return undefined;
  }
}
