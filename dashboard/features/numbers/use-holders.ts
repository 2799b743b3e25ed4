import type { Member } from "@parley/shared/contracts/organizations.ts";
import { rolesWith } from "@parley/shared/contracts/roles.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { useMemo } from "react";
import { useHere } from "../../api/use-session.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { memberName, useMembers } from "../settings/use-members.ts";

/** Roles that may place and take calls (members and viewers only read). */
const CALLERS = rolesWith("manage_numbers");

/** Everyone that calls to a number can ring. */
export interface Holders {
  /** Agent names by id. */
  readonly agents: ReadonlyMap<string, string>;
  /** The signed-in member comes first. */
  readonly members: readonly Member[];
  readonly ownId: string;
}

/** The organization's agents and members; empty until loaded. */
export function useHolders(): Holders {
  const { me } = useHere();
  const agents = useAgentNames();
  const { data } = useMembers();
  return useMemo(() => {
    const isOwn = ({ userId }: Member): boolean => userId === me.id;
    const all = data ?? [];
    return {
      agents,
      members: [...all.filter(isOwn), ...all.filter((member) => !isOwn(member))],
      ownId: me.id,
    };
  }, [agents, data, me.id]);
}

/** Why no call rings a member; undefined for one who can be rung. */
export function whyNotRung({ role, status }: Member): string | undefined {
  if (status === "deactivated") return "deactivated";
  return CALLERS.includes(role) ? undefined : `${role}: may not call`;
}

/** Whether calls to the number are answered, as far as this page knows. */
export function isAnswered({ agentId, userId }: PhoneNumber, { members }: Holders): boolean {
  if (agentId !== null) return true;
  const member = members.find((each) => each.userId === userId);
  return userId !== null && (member === undefined || whyNotRung(member) === undefined);
}

/** What happens to calls to a number, in a few words. */
export function holderText({ agentId, userId }: PhoneNumber, { agents, members, ownId }: Holders): string {
  if (agentId !== null) return `Answered by ${agents.get(agentId) ?? agentId}`;
  if (userId === null) return "Answered by nobody";
  const member = members.find((each) => each.userId === userId);
  const why = member && whyNotRung(member);
  const name = nameOf(userId, { members, ownId });
  return why === undefined ? `Rings for ${name}` : `Answered by nobody: ${name} (${why})`;
}

/** A member's name, or "you" for the signed-in one. */
export function nameOf(userId: string, { members, ownId }: Omit<Holders, "agents">): string {
  if (userId === ownId) return "you";
  const member = members.find((each) => each.userId === userId);
  return member ? memberName(member) : userId;
}
