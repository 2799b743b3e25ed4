import type { BrainControl } from "@parley/shared/contracts/brain.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import type { FlowState } from "@parley/shared/flows/state.ts";
import { resolvePlaceholders } from "@parley/shared/variables/placeholders.ts";
import type { ChatPlace } from "./chat-place.ts";
import type { OpenedTurn } from "./open-turn.ts";

/** Who answers in a chat. */
export interface Talker {
  readonly agentId: string;
  readonly agentVersion: number;
  readonly brain: BrainPlan;
  /** What it was handed. */
  readonly variables: Readonly<Record<string, string>>;
  /** The chat was handed to it in this turn. */
  readonly isNew: boolean;
  /** What it says first then. */
  readonly opening: string;
  /** Where its flow stands; changes while it answers. */
  state: FlowState | undefined;
}

type Turn = Pick<OpenedTurn, "agentId" | "agentVersion" | "brain" | "team" | "place" | "variables">;

/** Who has the chat as a turn begins. */
export function talkerOf({ agentId, agentVersion, brain, team, place }: Turn): Talker {
  const member = place && team.find((one) => one.agentId === place.agentId && one.agentId !== agentId);
  const variables = place?.variables ?? {};
  const isOwn = !member && (place === undefined || place.agentId === agentId);
  const common = { isNew: false, opening: "", state: member || isOwn ? place?.state : undefined };
  return member
    ? { ...member, ...common, variables }
    : { agentId, agentVersion, brain, ...common, variables: isOwn ? variables : {} };
}

/** Who goes on; undefined when the chat was handed to nobody. */
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

/** Where the chat stands once it was answered. */
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
