import { hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../config/config.ts";
import { AppError } from "../errors.ts";
import { generateTicketKeys } from "./tickets.ts";

const fileSchema = z.object({ privateKeyPem: z.string(), publicKeyPem: z.string(), secretsKey: z.string() });

/** The keys of an installation. */
export interface Keys {
  readonly ticketPrivateKeyPem: string;
  readonly ticketPublicKeyPem: string;
  /** `keyId:base64` list for data encrypted at rest. */
  readonly secretsKey: string;
  /** `keyId:base64` list for call plans on the bus. */
  readonly planKey: string;
}

const PLAN_KEY_BYTES = 32;

/**
 * The configured keys; missing ones are generated on the first run and kept in `secrets.json` of the data directory.
 * Processes that start at the same time all get the same ones.
 */
export async function loadKeys(config: Pick<Config, "security" | "storage">): Promise<Keys> {
  const { ticketPrivateKey, ticketPublicKey, secretsKey } = config.security;
  if ((ticketPrivateKey === undefined) !== (ticketPublicKey === undefined)) {
    throw new AppError(
      "bad_request",
      "TICKET_PRIVATE_KEY and TICKET_PUBLIC_KEY go together; set both or neither.",
    );
  }
  const made =
    ticketPrivateKey === undefined || secretsKey === undefined
      ? await localKeys(config.storage.dataDir)
      : undefined;
  return {
    planKey: await planKeyOf(config),
    ticketPrivateKeyPem: ticketPrivateKey ?? made?.privateKeyPem ?? "",
    ticketPublicKeyPem: ticketPublicKey ?? made?.publicKeyPem ?? "",
    secretsKey: secretsKey ?? made?.secretsKey ?? "",
  };
}

/** All that a gateway needs: it verifies tickets but signs none, and opens the plans of its calls. */
export async function loadGatewayKeys(
  config: Pick<Config, "security" | "storage">,
): Promise<Pick<Keys, "ticketPublicKeyPem" | "planKey">> {
  const planKey = await planKeyOf(config);
  const { ticketPublicKey } = config.security;
  if (ticketPublicKey !== undefined) return { ticketPublicKeyPem: ticketPublicKey, planKey };
  return { ticketPublicKeyPem: (await localKeys(config.storage.dataDir)).publicKeyPem, planKey };
}

/** Throws `AppError` bad_request when other keys are configured but not this one: two machines would generate two. */
async function planKeyOf({ security, storage }: Pick<Config, "security" | "storage">): Promise<string> {
  if (security.planKey !== undefined) return security.planKey;
  if (security.ticketPublicKey !== undefined) {
    throw new AppError(
      "bad_request",
      "PLAN_KEY is missing: where TICKET_PUBLIC_KEY is set, control APIs and gateways need the same one; a key id, a colon and 32 random bytes in base64.",
    );
  }
  const { secretsKey } = await localKeys(storage.dataDir);
  const derived = hkdfSync("sha256", secretsKey, "", "call plans", PLAN_KEY_BYTES);
  return `local:${Buffer.from(derived).toString("base64")}`;
}

async function localKeys(dataDir: string): Promise<z.infer<typeof fileSchema>> {
  const path = join(dataDir, "secrets.json");
  const known = await readKeys(path);
  if (known) return known;
  const made = { ...generateTicketKeys(), secretsKey: `local:${randomBytes(32).toString("base64")}` };
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, JSON.stringify(made), { mode: 0o600 });
  try {
    // Linking fails when another process was first; its keys count then.
    await link(draft, path);
    return made;
  } catch (error) {
    const theirs = await readKeys(path);
    if (theirs) return theirs;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readKeys(path: string): Promise<z.infer<typeof fileSchema> | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    // Keys that exist but cannot be read must not be replaced by new ones.
    if (error.code !== "ENOENT") throw error;
  });
  if (text === undefined) return undefined;
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    // Omits the cause: a parser's message quotes its input.
    throw new AppError(
      "bad_request",
      `${path} no longer has any keys. Restore it, or delete it to get new ones.`,
    );
  }
}
