import type { AgentVersion } from "@parley/shared/contracts/agents.ts";
import { memberName, useMembers } from "../settings/use-members.ts";

/** Says who created a version. */
export function useMemberNames(): (by: AgentVersion["createdBy"]) => string {
  const { data: members } = useMembers();
  return ({ kind, id }) => {
    if (kind === "nobody") return "Parley";
    if (kind === "key") return "an API key";
    const member = members?.find(({ userId }) => userId === id);
    return member ? memberName(member) : "a former member";
  };
}
