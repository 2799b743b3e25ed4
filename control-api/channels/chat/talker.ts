import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { FlowState } from "@parley/shared/flows/state.ts";
import { resolvePlaceholders } from "@parley/shared/variables/placeholders.ts";
import type { ChatPlace } from "./chat-place.ts";
import type { OpenedTurn } from "./open-turn.ts";

/** The agent that answers in a chat. */
export interface Talker {
  readonly agentId: string;
  readonly agentVersion: number;
  readonly brain: BrainPlan;
  /** Variables handed to it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether the chat was handed to it in this turn. */
  readonly isNew: boolean;
  /** What it then says first. */
  readonly opening: string;
  /** State of its flow; changes while it answers. */
  state: FlowState | undefined;
}

type Turn = Pick<OpenedTurn, "agentId" | "agentVersion" | "brain" | "team" | "place" | "variables">;

/** The agent that has the chat when a turn begins. */
export function talkerOf({ agentId, agentVersion, brain, team, place }: Turn): Talker {
  const member = place && team.find((one) => one.agentId === place.agentId && one.agentId !== agentId);
  const variables = place?.variables ?? {};
  const isOwn = !member && (place === undefined || place.agentId === agentId);
  const common = { isNew: false, opening: "", state: member || isOwn ? place?.state : undefined };
  return member
    ? { ...member, ...common, variables }
    : { agentId, agentVersion, brain, ...common, variables: isOwn ? variables : {} };
}

/** The agent that continues; undefined when the chat was handed to nobody. */
export function handedTo(
  { team, variables }: Turn,
  control: Extract<BrainControl, { event: "hand_off" }> | undefined,
): Talker | undefined {
  const member = team.find(({ agentId }) => agentId === control?.agentId);
  if (!control || !member) return undefined;
  const { agentId, agentVersion, brain, firstResponse = "" } = member;
  const handed = control.variables;
  const opening = resolvePlaceholders(firstResponse, { ...variables, ...handed });
  return { agentId, agentVersion, brain, variables: handed, isNew: true, opening, state: undefined };
}

/** The chat's place after the answer. */
export function placeOf({ agentId, agentVersion, team }: Turn, talker: Talker): ChatPlace | undefined {
  if (talker.state === undefined && talker.agentId === agentId) return undefined;
  const versions = team.map((member) => [member.agentId, member.agentVersion] as const);
  const { state, variables } = talker;
  return {
    agentId: talker.agentId,
    versions: { ...Object.fromEntries(versions), [agentId]: agentVersion },
    state,
    variables,
  };
}
