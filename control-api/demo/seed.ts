import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import type { Clock } from "@parley/shared/clock.ts";
import { DEMO_OWNER_EMAIL } from "@parley/shared/contracts/accounts.ts";
import { newId } from "@parley/shared/ids.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import { z } from "zod";
import { exclusively } from "../database/exclusively.ts";
import type { Database } from "../database/open.ts";
import { newKeySecret } from "../identity/api-keys/key-secret.ts";
import { seedAgent } from "./agent.ts";
import { seedNumber } from "./number.ts";
import { type DemoIds, findDemo, insertDemo, insertDemoKey } from "./store.ts";

/** The demo workspace's data for scripts and people; `demo.json` in the data directory. */
export const demoFileSchema = z.object({
  baseUrl: z.string(),
  gatewayUrl: z.string(),
  orgId: z.string(),
  apiKey: z.string(),
  agentId: z.string(),
  /** The brain's address at the last start; an agent that was given another one since keeps it. */
  brainUrl: z.string().optional(),
  owner: z.object({ email: z.string(), password: z.string() }),
});
export type DemoFile = z.infer<typeof demoFileSchema>;

export interface SeedOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly brainUrl: string;
  /** Connects the built-in shop where a new agent looks orders up, unless it is connected. */
  readonly connectDemoShop: (owner: DemoIds) => Promise<void>;
}

/**
 * Creates the demo workspace on the first run and updates its addresses on later ones. Rewrites a deleted `demo.json`
 * with a new key for the same workspace. Of processes that start together only one creates it.
 */
export async function seedDemo(options: SeedOptions): Promise<DemoFile & { userId: string }> {
  return exclusively(options.database, "seed-demo", () => seed(options));
}

async function seed(options: SeedOptions): Promise<DemoFile & { userId: string }> {
  const { database, clock, dataDir, baseUrl, gatewayUrl, brainUrl } = options;
  const known = await findDemo(database, DEMO_OWNER_EMAIL);
  const written = await readDemoFile(dataDir);
  const isWritten = known !== undefined && written?.orgId === known.orgId;
  const { orgId, userId, ...credentials } =
    known && isWritten
      ? { ...known, apiKey: written.apiKey, owner: written.owner }
      : await enter(options, known);
  const { id: agentId, isNew } = await seedAgent(
    { orgId, agentId: known?.agentId ?? undefined, brainUrl, lastBrainUrl: written?.brainUrl },
    { database, clock },
  );
  if (isNew) await options.connectDemoShop({ orgId, userId });
  await seedNumber({ orgId, agentId }, { database, clock });
  const { apiKey, owner } = credentials;
  const file = { baseUrl, gatewayUrl, orgId, apiKey, agentId, brainUrl, owner };
  await writeDemoFile(dataDir, file);
  return { ...file, userId };
}

/** Creates a new key and password, and the workspace if there is none. */
async function enter({ database, clock }: SeedOptions, known: DemoIds | undefined) {
  const apiKey = newKeySecret();
  const password = randomToken(12);
  const passwordHash = await hash(password);
  const key = { id: newId("key"), secretHash: sha256Hex(apiKey), lastFour: apiKey.slice(-4) };
  const at = new Date(clock.wallMs());
  const { orgId, userId } = known ?? { orgId: newId("org"), userId: newId("usr") };
  if (known) await insertDemoKey(database, { orgId, userId, key, passwordHash, at });
  else await insertDemo(database, { orgId, userId, key, passwordHash, at, email: DEMO_OWNER_EMAIL });
  return { orgId, userId, apiKey, owner: { email: DEMO_OWNER_EMAIL, password } };
}

async function readDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  try {
    return demoFileSchema.parse(JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")));
  } catch {
    return undefined;
  }
}

/** Writes a draft and renames it, so readers never see half a file; owner-only, as it holds a key. */
async function writeDemoFile(dataDir: string, file: DemoFile): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, "demo.json");
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}
