import { ServiceError } from "@parley/shared/brain/model/ask-json.ts";
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
import { cutTexts } from "./cut-texts.ts";
import { type FindServiceDeps, findService } from "./find-service.ts";
import { analyzeLocally } from "./local/analyze-locally.ts";
import { remember } from "./memory/remember.ts";
import { analyzeByModel } from "./model/analyze-by-model.ts";
import { scrubAnalysis } from "./scrub.ts";
import { type CallToAnalyze, insertAnalysis, readCall } from "./store.ts";
import { type FoundPii, takePii } from "./vault/collect.ts";
import { putIntoVault } from "./vault/store.ts";

/** Calls that ended longer ago than this are not analyzed. */
const LOOKBACK_MS = 2 * 60 * 60_000;
/** Failures of a model's service before the analysis is given up: about 35 minutes. */
const MAX_FAILURES = 8;
/** Includes runs that died with their process. */
const MAX_RUNS = 40;

/** One job per call to analyze, added once the call's end is recorded. */
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
  /** Counts the tokens a model used; the meter belongs to the billing district. */
  readonly countTokens: (used: {
    readonly orgId: string;
    readonly sessionId: string;
    readonly source: string;
    readonly tokens: ModelTokens;
  }) => Promise<void>;
  /** Announces that `call.analyzed` is waiting to be sent. */
  readonly announceDeliveries: () => void;
}

/** Analyzes a call once; the findings and their event are written in the transaction that ends the job. */
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

/** The masked findings, and the values for the vault. */
interface Findings {
  readonly analysis: CallAnalysis;
  readonly found: readonly FoundPii[];
}

/** Analyzes by the agent's model, or locally without one. Throws `ServiceError`, and the signal's reason. */
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
  return { analysis: cutTexts(scrubAnalysis(analysis, scrubber)), found };
}

/** Counts every answer of every run: the customer paid for each, even for useless ones. */
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

/** Records on the call why there is no analysis; raises no event. */
function gaveUp(call: CallToAnalyze, error: string, { clock, metrics }: AnalyzeCallDeps): WriteResult {
  return async (trx) => {
    await insertAnalysis(trx, call, { error, at: new Date(clock.wallMs()) });
    return () => metrics.analysesTotal.inc({ outcome: "failed" });
  };
}
