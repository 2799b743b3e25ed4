/**
 * Lends a WhatsApp number of the operator's own business account to an organization, or takes it back. Reads the same environment as the
 * control API, and the number with the credentials of the operator's Meta app as JSON from standard input:
 * {"phoneNumberId": "…", "businessAccountId": "…", "accessToken": "…", "appSecret": "…"}
 *
 * Usage: node scripts/lend-whatsapp-number.ts <orgId> < number.json
 *        node scripts/lend-whatsapp-number.ts --take-back <phoneNumberId>
 */
import { text } from "node:stream/consumers";
import { openDatabase } from "@parley/control-api/database/open.ts";
import { JobQueue } from "@parley/control-api/jobs/queue.ts";
import { lendNumber, takeBackNumber } from "@parley/control-api/messaging/channels/managed.ts";
import { webhookPath } from "@parley/control-api/messaging/webhook/webhook-path.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
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

const USAGE = `Usage: lend-whatsapp-number.ts <orgId> < number.json
       lend-whatsapp-number.ts --take-back <phoneNumberId>`;
const [orgId, taken] = process.argv.slice(2);
const isTakenBack = orgId === "--take-back";
const config = loadConfig(process.env);
const { databaseUrl, directUrl } = config.storage;
const isIncomplete = orgId === undefined || (isTakenBack && taken === undefined);
if (isIncomplete || databaseUrl === undefined) {
  console.error(
    isIncomplete
      ? USAGE
      : "DATABASE_URL is not set. The embedded database can be used by its own process only.",
  );
  process.exit(1);
}
const number = isTakenBack ? undefined : readNumber(await text(process.stdin));
if (!isTakenBack && !number) {
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
  await (number ? lend(orgId, number) : takeBack(taken ?? ""));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  await egress.close();
  await database.close();
}

async function lend(to: string, given: NonNullable<typeof number>): Promise<void> {
  const deps = { database, secrets, reach, nowMs: () => Date.now() };
  const { channelId, phone, verifyToken } = await lendNumber({ orgId: to, ...given }, deps);
  console.log(`${phone ?? given.phoneNumberId} is lent to ${to} as ${channelId}.`);
  console.log(`For the first number of your Meta app, enter there: ${webhookPath("whatsapp", channelId)}`);
  console.log(`on this installation's public address, with the verify token ${verifyToken}`);
}

async function takeBack(phoneNumberId: string): Promise<void> {
  const { channels } = createMemoryBus({ clock: systemClock });
  const queue = new JobQueue({ clock: systemClock, channels });
  const from = await takeBackNumber(phoneNumberId, { database, queue, nowMs: () => Date.now() });
  console.log(`${from.phone ?? phoneNumberId} is taken back from ${from.orgId}, with its conversations.`);
}

/** Undefined for anything else. What is wrong with it is not told, as it has secrets. */
function readNumber(input: string) {
  try {
    return connectChannelSchema.omit({ name: true, agentId: true }).parse(JSON.parse(input));
  } catch {
    return undefined;
  }
}
