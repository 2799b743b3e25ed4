import type { Overview } from "@parley/shared/contracts/analytics.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** The stream does not report chats or anything before a call connects. */
const LOOK_MS = 30_000;

/** Today's calls in figures, next to the day before's; a day starts at the reader's midnight. */
export function useOverview(): Data<Overview> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/analytics/overview`;
  return useData(
    path,
    () => {
      const since = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
      const query = new URLSearchParams({ since });
      return session.call<Overview>(`${path}?${query}`, { method: "GET", orgId: org.id });
    },
    { topics: ["calls"], everyMs: LOOK_MS, isList: true },
  );
}
