import { toTimestamp } from "@parley/shared/clock.ts";
import type { CallAnalysis, CollectedPii } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { insertDeliveries } from "./delivery-store.ts";
import { selectEnabledEndpoints } from "./endpoint-store.ts";
import { deliveriesOf } from "./raise.ts";

/** A call whose analysis was just stored. */
interface AnalyzedCall {
  readonly sessionId: string;
  readonly orgId: string;
  readonly agentId: string | null;
  readonly identifier: string | null;
  readonly at: Date;
  readonly analysis: CallAnalysis;
  readonly piiCollected: readonly CollectedPii[];
}

/** Raises `call.analyzed` in the transaction that stores the analysis. */
export async function raiseAnalyzed(trx: Kysely<Tables>, call: AnalyzedCall): Promise<void> {
  const { sessionId, orgId, agentId, identifier, at, analysis, piiCollected } = call;
  const endpoints = await selectEnabledEndpoints(trx, [orgId], at);
  const payload = {
    event: "call.analyzed" as const,
    orgId,
    occurredAt: toTimestamp(at.getTime()),
    sessionId,
    agentId,
    identifier,
    piiCollected: [...piiCollected],
    analysis,
  };
  const raised = { orgId, event: payload.event, agentId, at, payload: () => payload };
  await insertDeliveries(trx, await deliveriesOf(raised, endpoints));
}
