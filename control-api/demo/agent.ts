import type { Clock } from "@parley/shared/clock.ts";
import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import { newId } from "@parley/shared/ids.ts";
import { insertAgent, lockAgent, updateAgent } from "../agents/agents/store.ts";
import type { Database } from "../database/open.ts";

const NAME = "Receptionist";
const FIRST_RESPONSE =
  "Hello, this is Parley. I can book a table, look up an order, or tell you the opening hours. How can I help?";
/** The tools of the example brain (examples/brain/receptionist.ts); the demo shop serves them. */
const TOOLS = [{ kind: "connector", name: "find_order", capability: "order.lookup" }];
const NOBODY = { kind: "nobody", id: null } as const;

interface DemoAgent {
  readonly orgId: string;
  /** Undefined when there is no agent, or it was deleted. */
  readonly agentId: string | undefined;
  readonly brainUrl: string;
  /** The brain's address at the last start; undefined if none was recorded. */
  readonly lastBrainUrl: string | undefined;
}

/** Creates the demo's agent, or points it to the brain's new address; people's changes stay. */
export async function seedAgent(
  { orgId, agentId, brainUrl, lastBrainUrl }: DemoAgent,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const at = new Date(clock.wallMs());
  return database.db.transaction().execute(async (trx) => {
    const before = agentId === undefined ? undefined : await lockAgent(trx, orgId, agentId);
    if (!before) {
      const agent = { id: newId("agt"), orgId, name: NAME, settings: settingsOf(brainUrl), sealed: {} };
      const { id } = await insertAgent(trx, { ...agent, by: NOBODY, at });
      return { id, isNew: true };
    }
    const same = { id: before.id, isNew: false };
    const { brain } = before.settings;
    const url: unknown =
      typeof brain === "object" && brain !== null && "url" in brain ? brain.url : undefined;
    if (url === undefined || url === brainUrl || url !== (lastBrainUrl ?? url)) return same;
    const settings = { ...before.settings, brain: { ...(brain as object), url: brainUrl } };
    await updateAgent(trx, before, { ...before, settings, by: NOBODY, at });
    return same;
  });
}

function settingsOf(brainUrl: string): Record<string, unknown> {
  // On a gateway without this program, the caller's app recognizes speech.
  const stt = [{ vendor: "command" }];
  const written = {
    brain: { url: brainUrl, tools: TOOLS },
    stt,
    tts: [{ vendor: "flite" }],
    firstResponse: FIRST_RESPONSE,
  };
  return agentConfigSchema.parse(written);
}
