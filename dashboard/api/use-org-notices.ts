import type { OrgNotice } from "@parley/shared/contracts/notices.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { type Data, useData } from "./use-data.ts";
import { useHere, useSession } from "./use-session.ts";

const REFRESH_MS = 30_000;

/** What does not work in the shown organization. Every page shows it, so all of them share one request. */
export function useOrgNotices(): Data<readonly OrgNotice[]> {
  const session = useSession();
  const { org } = useHere();
  const path = noticesPath(org.id);
  return useData(
    path,
    async () =>
      (await session.call<{ notices: OrgNotice[] }>(path, { method: "GET", orgId: org.id })).notices,
    { everyMs: REFRESH_MS, isList: true },
  );
}

/** Asks again for what does not work, after something was mended or broken from here. */
export function useNoticesAgain(): () => Promise<void> {
  const queries = useQueryClient();
  const { org } = useHere();
  return useCallback(() => queries.invalidateQueries({ queryKey: [noticesPath(org.id)] }), [queries, org.id]);
}

function noticesPath(orgId: string): string {
  return `/api/orgs/${orgId}/notices`;
}
