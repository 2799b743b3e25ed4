import type { CallAnalytics, CallOutcomes } from "@parley/shared/contracts/analytics.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { type Chosen, periodOf } from "./period.ts";

/** An organization's calls of the selected days. */
export interface Analytics {
  readonly analytics: CallAnalytics;
  readonly outcomes: CallOutcomes;
}

/** Analytics and outcomes loaded together. */
export function useAnalytics({ days, agentId, channel }: Chosen): Data<Analytics> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/analytics`;
  const narrowed = { ...(agentId === "" ? {} : { agentId }), ...(channel === "" ? {} : { channel }) };
  return useData(
    `${path} ${days} ${agentId} ${channel}`,
    async () => {
      const { from, to, step } = periodOf(days, new Date());
      const span = { from: from.toISOString(), to: to.toISOString(), ...narrowed };
      const read = <T>(what: string, query: Record<string, string>): Promise<T> =>
        session.call<T>(`${path}/${what}?${new URLSearchParams(query)}`, { method: "GET", orgId: org.id });
      const [analytics, outcomes] = await Promise.all([
        read<CallAnalytics>("calls", { ...span, step }),
        read<CallOutcomes>("outcomes", span),
      ]);
      return { analytics, outcomes };
    },
    { topics: ["calls"], isList: true },
  );
}
