import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { newId } from "@parley/shared/ids.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import { z } from "zod";
import { newKeySecret } from "../api-keys/routes.ts";
import { findDemo, insertDemo, insertDemoKey, updateDemoAgent } from "./store.ts";

/** What scripts and people need of the demo workspace; `demo.json` in the data directory. */
export const demoFileSchema = z.object({
  baseUrl: z.string(),
  gatewayUrl: z.string(),
  orgId: z.string(),
  apiKey: z.string(),
  agentId: z.string(),
  owner: z.object({ email: z.string(), password: z.string() }),
});
export type DemoFile = z.infer<typeof demoFileSchema>;

const OWNER_EMAIL = "owner@parley.example";
const FIRST_RESPONSE =
  "Hello, this is Parley. I can book a table, tell you the opening hours, or just chat. How can I help?";

export interface SeedOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly brainUrl: string;
}

/**
 * Makes the demo workspace on the first run and brings its addresses up to date on every other. A
 * `demo.json` that was deleted is written again with a new key and the same workspace.
 */
export async function seedDemo(options: SeedOptions): Promise<DemoFile & { userId: string }> {
  const { database, dataDir, baseUrl, gatewayUrl } = options;
  const known = await findDemo(database, OWNER_EMAIL);
  const written = await readDemoFile(dataDir);
  const settings = settingsOf(options);
  if (known && written && written.orgId === known.orgId) {
    await updateDemoAgent(database, known.agentId, settings);
    const file = { ...written, baseUrl, gatewayUrl, agentId: known.agentId };
    await writeDemoFile(dataDir, file);
    return { ...file, userId: known.userId };
  }
  const apiKey = newKeySecret();
  const password = randomToken(12);
  const passwordHash = await hash(password);
  const key = { id: newId("key"), secretHash: sha256Hex(apiKey), lastFour: apiKey.slice(-4) };
  const at = new Date(options.clock.wallMs());
  const ids = known ?? { orgId: newId("org"), userId: newId("usr"), agentId: newId("agt") };
  if (known) {
    await insertDemoKey(database, { ...ids, key, passwordHash, at });
    await updateDemoAgent(database, ids.agentId, settings);
  } else {
    await insertDemo(database, { ...ids, key, passwordHash, at, email: OWNER_EMAIL, settings });
  }
  const { orgId, agentId, userId } = ids;
  const file = { baseUrl, gatewayUrl, orgId, apiKey, agentId, owner: { email: OWNER_EMAIL, password } };
  await writeDemoFile(dataDir, file);
  return { ...file, userId };
}

function settingsOf({ brainUrl }: SeedOptions): Record<string, unknown> {
  // On a gateway without such a program the caller's app does the recognising.
  const stt = [{ vendor: "command" }];
  return { brain: { url: brainUrl }, stt, tts: [{ vendor: "flite" }], firstResponse: FIRST_RESPONSE };
}

async function readDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  try {
    return demoFileSchema.parse(JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")));
  } catch {
    return undefined;
  }
}

/** Written beside and renamed, so that a reader never sees half of it; it holds a key, so only its owner may. */
async function writeDemoFile(dataDir: string, file: DemoFile): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, "demo.json");
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}
