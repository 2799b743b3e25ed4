import type { AgentVersion } from "@parley/shared/contracts/agents.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

interface Member {
  readonly userId: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** Says who made a version. */
export function useMemberNames(): (by: AgentVersion["createdBy"]) => string {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/members`;
  const { data } = useData(path, () =>
    session.call<{ members: Member[] }>(path, { method: "GET", orgId: org.id }),
  );
  return ({ kind, id }) => {
    if (kind === "nobody") return "Parley";
    if (kind === "key") return "an API key";
    const member = data?.members.find(({ userId }) => userId === id);
    return member?.name || member?.email || "somebody who has left";
  };
}
