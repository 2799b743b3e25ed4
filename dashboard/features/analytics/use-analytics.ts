import type { CallAnalytics } from "@parley/shared/contracts/analytics.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { type Chosen, periodOf } from "./period.ts";

/** An organization's calls of the days that are chosen, in figures. */
export function useAnalytics({ days, agentId, channel }: Chosen): Data<CallAnalytics> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/analytics/calls`;
  const narrowed = { ...(agentId === "" ? {} : { agentId }), ...(channel === "" ? {} : { channel }) };
  return useData(
    `${path} ${days} ${agentId} ${channel}`,
    () => {
      const { from, to, step } = periodOf(days, new Date());
      const query = new URLSearchParams({
        from: from.toISOString(),
        to: to.toISOString(),
        step,
        ...narrowed,
      });
      return session.call<CallAnalytics>(`${path}?${query}`, { method: "GET", orgId: org.id });
    },
    { topics: ["calls"], isList: true },
  );
}
