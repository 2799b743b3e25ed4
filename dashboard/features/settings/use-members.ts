import type { Member } from "@parley/shared/contracts/organizations.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** The organization's members. */
export function useMembers(): Data<readonly Member[]> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/members`;
  return useData(
    path,
    async () => {
      const { members } = await session.call<{ members: Member[] }>(path, { method: "GET", orgId: org.id });
      return members;
    },
    { isList: true },
  );
}

/** A member's display name. */
export function memberName({ name, email, mobile, userId }: Member): string {
  return name || email || mobile || userId;
}
