import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import { transferFailedQuery } from "@parley/shared/contracts/transfers.ts";
import { resolvePlaceholders } from "@parley/shared/variables/placeholders.ts";
import type { CallParts } from "./call-parts.ts";
import type { HandOffControl } from "./speech-handle.ts";

/** What an agent says before anybody has asked anything. */

/** Hand-off limit per call: two agents that hand a caller to each other would otherwise never stop. */
export const MAX_HAND_OFFS = 20;

type Parts = Pick<CallParts, "plan" | "agent" | "conversation" | "now">;

/** Says the first words of a call: the agent's first response, or the beginning of its flow. */
export function open(parts: Parts): void {
  const { plan, agent, conversation } = parts;
  const interruptible = plan.turnTaking.firstResponseInterruptible;
  const { turn } = conversation;
  if (plan.firstResponse) agent.say({ text: plan.firstResponse, turn, interruptible });
  else if (plan.brain.kind === "flow" && turn === 0) begin(parts, { brain: plan.brain, interruptible });
}

/** `said`: the query for a brain that does not speak first. */
function begin(
  { agent, conversation, now }: Parts,
  { brain, interruptible, said = "" }: { brain: BrainPlan; interruptible: boolean; said?: string },
): void {
  const query = brain.kind === "flow" ? "" : said;
  const { turn } = conversation;
  const asked = { turn, query, addedText: "", source: "call", adoptsPreemptive: false } as const;
  void agent.answer({ ...asked, interruptible, endOfVoiceMs: now(), decidedAtMs: now() });
}

/** Lets another agent take over the call in its own voice; the new agent speaks first. */
export function handOff(
  parts: CallParts,
  { agentId, variables }: HandOffControl,
  { turn, mayHandOn }: { readonly turn: number; readonly mayHandOn: boolean },
): void {
  const { plan, agent, conversation, now, events, requests, voiceOf } = parts;
  const member = plan.team.find((one) => one.agentId === agentId);
  if (!member) {
    const text = transferFailedQuery("refused");
    conversation.dispatch({ type: "typed", text, source: "call", nowMs: now() });
    return;
  }
  const { agentVersion, firstResponse = "" } = member;
  const known = { ...plan.variables, ...variables };
  // Copies the plan, so that an agent that takes over a second time starts from the beginning.
  const brain = { ...member.brain };
  const handsTo = mayHandOn ? requests.handsTo : [];
  events.append({ type: "call.handed_off", turn, agentId, agentVersion, summary: variables.summary ?? "" });
  agent.become({
    requests: { ...requests, plan: brain, variables: known, handsTo },
    openVoice: voiceOf(member),
  });
  const text = resolvePlaceholders(firstResponse, known);
  const interruptible = plan.turnTaking.firstResponseInterruptible;
  if (text !== "") agent.say({ text, turn, interruptible });
  else begin(parts, { brain, interruptible, said: variables.last_said ?? variables.summary ?? "" });
}
