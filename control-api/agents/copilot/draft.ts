import {
  type Message,
  ModelAsker,
  repairMessages,
  ServiceError,
} from "@parley/shared/brain/model/ask-json.ts";
import type { CountedTokens, ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import { agentConfigSchema, changeAgentSchema } from "@parley/shared/contracts/agents.ts";
import type { DraftedAgent } from "@parley/shared/contracts/copilot.ts";
import { mergePatch } from "@parley/shared/contracts/merge-patch.ts";
import { invalidInput } from "@parley/shared/contracts/problems.ts";
import { AppError } from "@parley/shared/errors.ts";
import { draftedAgent } from "../agents/drafted-agent.ts";
import type { PlanDeps } from "../agents/plan-version.ts";
import { showSettings } from "../agents/settings.ts";
import type { StoredAgent } from "../agents/store.ts";
import type { OrganizationModel } from "../models/organization-models.ts";
import { type Part, partsOf } from "./parts.ts";
import { messagesFor } from "./prompt.ts";
import { inventedNumbers, type Reply, readReply, scenarioFaults } from "./reply.ts";

export interface DraftWanted {
  readonly agent: StoredAgent;
  readonly wish: string;
  readonly model: OrganizationModel;
  readonly signal: AbortSignal;
}

/** What a draft used, also if it failed. */
export interface Used {
  tokens: ModelTokens | undefined;
}

/**
 * Has a model draft an agent, or changes to one, and validates the reply like a saved agent; asks once more if it is
 * invalid. Saves nothing. Throws `AppError` vendor_failed, vendor_rejected.
 */
export async function draftAgent(wanted: DraftWanted, used: Used, deps: PlanDeps): Promise<DraftedAgent> {
  const { agent, wish, model, signal } = wanted;
  const { brain } = agentConfigSchema.parse(agent.settings);
  const own = "model" in brain ? brain.model : undefined;
  // A model that another agent's key pays for must not become this agent's.
  const brainModel = own ?? (model.isOwn ? undefined : model.id);
  const shown = { name: agent.name, ...showSettings(agent.settings, []) };
  const messages = messagesFor({ wish, agent: shown, mayUseModel: brainModel !== undefined });
  const asker = new ModelAsker({
    ...{ service: model.service, model: model.id, signal, namedBy: "the model" },
    onTokens: async (more) => {
      used.tokens = added(used.tokens, model, more);
    },
  });
  try {
    const { reply, wasRepaired } = await replyTo(messages, asker, (answer) => {
      const reply = readReply(answer);
      return usable(reply, { ...wanted, brainModel }, deps).then(() => reply);
    });
    const parts = partsOf(reply, agentConfigSchema.parse(agent.settings), brainModel);
    return {
      ...{ agentVersion: agent.version, model: model.id, wasRepaired, summary: reply.summary },
      parts: await Promise.all(
        parts.map(async (part) => ({ ...part, alone: await alone(part, agent, deps) })),
      ),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new AppError(error.isFinal ? "vendor_rejected" : "vendor_failed", error.message, { cause: error });
  }
}

/** Asks for a reply; asks once more if the first is unusable. */
async function replyTo(
  messages: readonly Message[],
  asker: ModelAsker,
  read: (answer: string) => Promise<Reply>,
): Promise<{ readonly reply: Reply; readonly wasRepaired: boolean }> {
  const first = await asker.ask(messages);
  const wrong = await wrongIn(() => read(first));
  if (typeof wrong !== "string") return { reply: wrong, wasRepaired: false };
  const second = await asker.ask([...messages, ...repairMessages(first, wrong)]);
  const still = await wrongIn(() => read(second));
  if (typeof still !== "string") return { reply: still, wasRepaired: true };
  const message = `The model's draft cannot be used, also after a second try: ${still}. Rephrase your request, ask for less at once, or use another model.`;
  throw new AppError("vendor_failed", message);
}

/** The parsed reply, or the fault in the words the model is told. */
async function wrongIn(read: () => Promise<Reply>): Promise<Reply | string> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    return error.message.replace(/^Invalid body: /, "").replace(/\.$/, "");
  }
}

/** Throws `AppError` validation_failed for a draft that could not be saved as a whole. */
async function usable(
  reply: Reply,
  { agent, wish, brainModel }: DraftWanted & { readonly brainModel: string | undefined },
  deps: PlanDeps,
): Promise<void> {
  const parts = partsOf(reply, agentConfigSchema.parse(agent.settings), brainModel);
  const fault = (field: string, text: string) => invalidInput("body", [{ field, text }]);
  if (parts.length === 0) throw fault("summary", "is all there is: give the parts that change");
  if (reply.prompt !== undefined && reply.flow !== undefined)
    throw fault("flow", "must be left out, or prompt must");
  if (reply.prompt !== undefined && brainModel === undefined)
    throw fault("prompt", "is for a model, and there is none");
  const changed = await changedBy(parts, agent, deps);
  const faults = [
    ...scenarioFaults(reply.scenarios ?? [], agentConfigSchema.parse(changed.settings).brain),
    ...inventedNumbers(reply, wish + JSON.stringify(agent.settings)),
  ];
  if (faults.length > 0) throw invalidInput("body", faults);
}

function changedBy(parts: readonly Part[], agent: StoredAgent, deps: PlanDeps): Promise<StoredAgent> {
  const patch = parts.reduce<Record<string, unknown>>((all, part) => mergePatch(all, part.patch), {});
  return draftedAgent(agent, changeAgentSchema.parse(patch), deps);
}

async function alone(part: Part, agent: StoredAgent, deps: PlanDeps): Promise<string | null> {
  try {
    await changedBy([part], agent, deps);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

function added(
  before: ModelTokens | undefined,
  { id: model, isOwn }: OrganizationModel,
  { inputTokens, outputTokens }: CountedTokens,
): ModelTokens {
  return {
    ...{ model, isOwn },
    inputTokens: (before?.inputTokens ?? 0) + inputTokens,
    outputTokens: (before?.outputTokens ?? 0) + outputTokens,
  };
}
