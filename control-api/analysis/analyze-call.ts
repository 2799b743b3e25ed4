import type { CountedTokens, ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { z } from "zod";
import { selectPiiPolicy } from "../agents/pii/store.ts";
import { handles, type JobHandler, type JobKind, type WriteResult } from "../jobs/job-kind.ts";
import type { DataKeys } from "../sealed/data-keys.ts";
import { raiseAnalyzed } from "../webhooks/raise-analyzed.ts";
import { isEmpty } from "./conversation.ts";
import { type FindServiceDeps, findService } from "./find-service.ts";
import { analyzeLocally } from "./local/analyze-locally.ts";
import { remember } from "./memory/remember.ts";
import { analyzeByModel } from "./model/analyze-by-model.ts";
import { ServiceError } from "./model/ask.ts";
import { scrubAnalysis } from "./scrub.ts";
import { type CallToAnalyze, insertAnalysis, readCall } from "./store.ts";
import { type FoundPii, takePii } from "./vault/collect.ts";
import { putIntoVault } from "./vault/store.ts";

/** A call that ended longer ago is not analyzed any more. */
const LOOKBACK_MS = 2 * 60 * 60_000;
/** Failures of a model's service after which there is no analysis: some 35 minutes. */
const MAX_FAILURES = 8;
/** Runs that end with their process count as well. */
const MAX_RUNS = 40;

/** One for each call that is to be analyzed, added with its end. */
export const ANALYZE_CALL: JobKind<{ readonly sessionId: string }> = {
  name: "analyze_call",
  payload: z.object({ sessionId: z.string() }),
};

export interface AnalyzeCallDeps extends FindServiceDeps {
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
  readonly metrics: Pick<
    Metrics,
    "analysesTotal" | "analysisSeconds" | "analysisRequestsTotal" | "analysisTokensTotal"
  >;
  /** Counts what its model used: the meter is the billing district's. */
  readonly countTokens: (used: {
    readonly orgId: string;
    readonly sessionId: string;
    readonly source: string;
    readonly tokens: ModelTokens;
  }) => Promise<void>;
  /** `call.analyzed` waits to be sent. */
  readonly announceDeliveries: () => void;
}

/** Analyzes a call once: what was found, and the event that tells it, are written with the end of the job. */
export function analyzesCalls(deps: AnalyzeCallDeps): JobHandler {
  const { database, clock, metrics } = deps;
  return handles(
    ANALYZE_CALL,
    async ({ payload: { sessionId }, attempt, signal }) => {
      const call = await readCall(database, sessionId);
      if (!call || isEmpty(call.conversation)) return undefined;
      if (clock.wallMs() - call.endedAt.getTime() > LOOKBACK_MS) {
        metrics.analysesTotal.inc({ outcome: "too_old" });
        return undefined;
      }
      try {
        return keeps(call, await analyze(call, { signal, attempt }, deps), deps);
      } catch (error) {
        if (!(error instanceof ServiceError) || signal.aborted) throw error;
        if (!error.isFinal && attempt < MAX_FAILURES) throw error;
        return gaveUp(call, error.message, deps);
      }
    },
    { attempts: MAX_RUNS, firstRetryMs: 20_000, longestRetryMs: 900_000, sideBySide: 4 },
  );
}

/** What was found, masked, and what goes into the vault. */
interface Findings {
  readonly analysis: CallAnalysis;
  readonly found: readonly FoundPii[];
}

/** By the agent's model, locally where it has none. Throws `ServiceError`, and the signal's reason. */
async function analyze(
  call: CallToAnalyze,
  { signal, attempt }: { readonly signal: AbortSignal; readonly attempt: number },
  deps: AnalyzeCallDeps,
): Promise<Findings> {
  const { clock, metrics, database } = deps;
  const beganMs = clock.monotonicMs();
  const asked = await findService(call, deps);
  const judged = asked
    ? await analyzeByModel({
        ...call,
        ...asked,
        signal,
        metrics,
        onTokens: counting(call, { ...asked, attempt }, deps),
      })
    : await analyzeLocally(call);
  const by = asked ? "model" : "local";
  metrics.analysisSeconds.observe({ by }, (clock.monotonicMs() - beganMs) / 1_000);
  const policy = await selectPiiPolicy(database, call.orgId);
  const { customFields } = call.settings;
  const { analysis, found, scrubber } = takePii(judged, { ...call, customFields, policy });
  return { analysis: scrubAnalysis(analysis, scrubber), found };
}

/** Each answer of each run was paid for, also of one that came to nothing. */
function counting(
  { orgId, sessionId }: CallToAnalyze,
  { model, isOwn, attempt }: { readonly model: string; readonly isOwn: boolean; readonly attempt: number },
  { countTokens }: AnalyzeCallDeps,
): (used: CountedTokens) => Promise<void> {
  let nr = 0;
  return (used) => {
    nr += 1;
    const source = `analysis ${sessionId} ${attempt} ${nr}`;
    return countTokens({ orgId, sessionId, source, tokens: { model, isOwn, ...used } });
  };
}

function keeps(
  call: CallToAnalyze,
  { analysis, found }: Findings,
  { clock, metrics, announceDeliveries, dataKeys }: AnalyzeCallDeps,
): WriteResult {
  return async (trx) => {
    const at = new Date(clock.wallMs());
    if (!(await insertAnalysis(trx, call, { analysis, at }))) return () => undefined;
    const piiCollected = await putIntoVault(trx, call, { found, at, dataKeys });
    await remember(trx, call, { analysis, at });
    await raiseAnalyzed(trx, { ...call, at, analysis, piiCollected });
    return () => {
      metrics.analysesTotal.inc({ outcome: "analyzed" });
      announceDeliveries();
    };
  };
}

/** The call's record says why, and no event is raised. */
function gaveUp(call: CallToAnalyze, error: string, { clock, metrics }: AnalyzeCallDeps): WriteResult {
  return async (trx) => {
    await insertAnalysis(trx, call, { error, at: new Date(clock.wallMs()) });
    return () => metrics.analysesTotal.inc({ outcome: "failed" });
  };
}
