import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import { transferFailedQuery } from "@parley/shared/contracts/transfers.ts";
import { resolvePlaceholders } from "@parley/shared/variables/placeholders.ts";
import type { CallParts } from "./call-parts.ts";
import type { HandOffControl } from "./speech-handle.ts";

/** What an agent says before anybody has asked it something. */

/** After so many an agent hands to nobody any more: two that hand a caller to each other would never end. */
export const MAX_HAND_OFFS = 20;

type Parts = Pick<CallParts, "plan" | "agent" | "conversation" | "now">;

/** The first words of a call: the agent's first response, or what its flow begins with. */
export function open(parts: Parts): void {
  const { plan, agent, conversation } = parts;
  const interruptible = plan.turnTaking.firstResponseInterruptible;
  const { turn } = conversation;
  if (plan.firstResponse) agent.say({ text: plan.firstResponse, turn, interruptible });
  else if (plan.brain.kind === "flow" && turn === 0) begin(parts, { brain: plan.brain, interruptible });
}

/** `said`: what a brain that does not speak first is asked. */
function begin(
  { agent, conversation, now }: Parts,
  { brain, interruptible, said = "" }: { brain: BrainPlan; interruptible: boolean; said?: string },
): void {
  const query = brain.kind === "flow" ? "" : said;
  const { turn } = conversation;
  const asked = { turn, query, addedText: "", source: "call", adoptsPreemptive: false } as const;
  void agent.answer({ ...asked, interruptible, endOfVoiceMs: now(), decidedAtMs: now() });
}

/** Another agent goes on with the call, in its own voice; it speaks first. */
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
  // A plan of its own: whoever is handed to a second time begins anew.
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
