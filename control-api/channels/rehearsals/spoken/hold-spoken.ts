import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { Rehearsal, Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import type { CallerNoise } from "@parley/shared/contracts/spoken-rehearsals.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { agentForCall, type CallableAgent } from "../../../agents/agents/agent-for-call.ts";
import { callVariables } from "../../../agents/agents/call-variables.ts";
import type { StoredAgent } from "../../../agents/agents/store.ts";
import type { PhoneVoice } from "../../carriers/loopback/phone-voice.ts";
import type { CountTokens } from "../../chat/chat-deps.ts";
import { callSocketUrl } from "../../gateways/call-socket-url.ts";
import { placeCall, type SessionDeps } from "../../sessions/prepare-call.ts";
import { callerOf } from "../caller.ts";
import { withGivenTools } from "../given-tools.ts";
import { judgeAll } from "../judge-all.ts";
import type { CallerDeps } from "../rehearsed-caller.ts";
import { readRecord } from "./call-record.ts";
import { openMouth } from "./callers-mouth.ts";
import { type CallOutcome, holdCall } from "./hold-call.ts";
import { pickUpWith } from "./pick-up.ts";
import { wordFigures } from "./words.ts";

/** No conversation of a rehearsal takes longer. */
const MAX_CALL_MS = 5 * 60_000;
const NO_RECORD = "The record of the call did not come, so nobody knows its path and its tools.";

export interface SpokenDeps extends SessionDeps {
  readonly brain: BrainClient;
  readonly voices: Pick<PhoneVoice, "say">;
  readonly countTokens: CountTokens;
  readonly log: Pick<Logger, "error" | "warn">;
}

export interface SpokenAgent {
  /** The saved agent, or a draft of it. */
  readonly stored: StoredAgent;
  readonly userId: string;
  /** Behind callers without a noise of their own. */
  readonly noise: CallerNoise | undefined;
  readonly signal: AbortSignal;
}

/**
 * Holds one rehearsal as a call through a gateway. Its ticket is used here and leaves this process in no answer, so
 * nobody else gets into the call. Throws what `placeCall` and `agentForCall` throw.
 */
export async function holdSpoken(
  scenario: Scenario,
  { stored, userId, noise: usualNoise, signal }: SpokenAgent,
  deps: SpokenDeps,
): Promise<Rehearsal> {
  const orgId = stored.org_id;
  const variables = callVariables(scenario, deps.clock.wallMs());
  const wanted = { orgId, agentId: stored.id, callerKind: "member", variables, as: stored } as const;
  const agent = withGivenTools(atMost(await agentForCall(wanted, deps), MAX_CALL_MS), scenario.tools);
  const { voice = "rms", noise = usualNoise } = scenario.caller;
  const [mouth, pickUp] = await Promise.all([openMouth(deps.voices, voice, signal), pickUpWith(noise)]);
  const input = { agentId: stored.id, variables: scenario.variables };
  const leg = { channel: SIMULATION, direction: "web" };
  const caller = { orgId, userId, kind: "member" } as const;
  const { plan, node, ticket } = await placeCall({ input, caller, leg, agent, variables }, deps);
  const { sessionId } = plan;
  const modelDeps = modelDepsOf({ orgId, userId, variables, signal, sessionId, agent }, deps);
  const outcome = await holdCall(
    {
      url: callSocketUrl({ publicUrl: node.publicUrl, sessionId, ticket }),
      caller: callerOf(scenario.caller, modelDeps),
      ...{ mouth, pickUp, maxTurns: scenario.maxTurns },
      agentBegins: plan.firstResponse !== undefined || plan.brain.kind === "flow",
    },
    { clock: deps.clock, signal },
  );
  const recorded = await readRecord({ sessionId, orgId }, deps);
  const sound = { voice, noise: noise ?? null };
  return judged({ scenario, sessionId, outcome, recorded, sound }, modelDeps);
}

function atMost(agent: CallableAgent, maxMs: number): CallableAgent {
  const { settings } = agent;
  const maxDurationMs = Math.min(settings.maxDurationMs, maxMs);
  return { ...agent, settings: { ...settings, maxDurationMs } };
}

type Whose = Pick<CallerDeps, "orgId" | "userId" | "variables" | "signal" | "sessionId"> & {
  readonly agent: CallableAgent;
};

function modelDepsOf({ agent, ...whose }: Whose, { brain, countTokens, log }: SpokenDeps): CallerDeps {
  const { orgId, sessionId } = whose;
  let nr = 0;
  return {
    ...whose,
    brain,
    agentBrain: agent.settings.brain,
    onTokens: (tokens) => {
      nr += 1;
      const used = { orgId, sessionId, source: `rehearsal ${sessionId} ${nr}`, tokens };
      countTokens(used).catch((error: unknown) =>
        log.warn({ event: "tokens_not_counted", sessionId, err: messageOf(error) }, "failed to count tokens"),
      );
    },
  };
}

interface HeldSpoken {
  readonly scenario: Scenario;
  readonly sessionId: string;
  readonly outcome: CallOutcome;
  readonly recorded: Awaited<ReturnType<typeof readRecord>>;
  readonly sound: Pick<NonNullable<Rehearsal["speech"]>, "voice" | "noise">;
}

async function judged(
  { scenario, sessionId, outcome, recorded, sound }: HeldSpoken,
  deps: CallerDeps,
): Promise<Rehearsal> {
  const { transcript, utterances, turns, endReason, figures, slowestMs } = outcome;
  const { path, tools } = recorded ?? { path: [], tools: [] };
  const about = { transcript: [...transcript], path, tools, endReason, turns };
  const criteria = [...(await judgeAll(scenario.criteria, about, deps))];
  const error = outcome.error ?? (recorded ? null : NO_RECORD);
  return {
    name: scenario.name,
    passed: error === null && criteria.every(({ passed }) => passed),
    ...{ sessionId, ...about, slowestMs, error, criteria },
    speech: { ...sound, ...figures, words: wordFigures(utterances) },
  };
}
