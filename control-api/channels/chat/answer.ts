import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { BrainQuestion } from "@parley/shared/brain/port.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Answer, Listener } from "./answer-parts.ts";
import { Draft } from "./draft.ts";
import type { OpenedTurn } from "./open-turn.ts";
import { handedTo, placeOf, type Talker, talkerOf } from "./talker.ts";

/** Below the minute that clients are told to wait. */
const MAX_ANSWER_MS = 55_000;
/** Per answer. */
const MAX_HAND_OFFS = 5;

export const NOBODY: Listener = {
  signal: new AbortController().signal,
  onText: () => undefined,
  onTool: () => undefined,
};

interface AskDeps {
  readonly brain: BrainClient;
  readonly clock: Clock;
  /** Collects the tokens of each model request, even when the answer fails. */
  readonly spent: ModelTokens[];
}

/**
 * Asks the brain, and each agent the chat is handed to, and waits for the whole answer. Throws `AppError` brain_failed,
 * deadline_exceeded, response_too_large.
 */
export async function askBrain(
  turn: OpenedTurn,
  { brain, clock, spent }: AskDeps,
  listener: Listener,
): Promise<Answer> {
  const startedMs = clock.monotonicMs();
  const deadline = new AbortController();
  const cancel = clock.after(MAX_ANSWER_MS, () => deadline.abort());
  let talker = talkerOf(turn);
  const draft = new Draft(listener, talker);
  const onTokens = (tokens: ModelTokens): void => {
    spent.push(tokens);
    draft.onTokens(tokens);
  };
  try {
    const signal = AbortSignal.any([deadline.signal, listener.signal]);
    for (let handOffs = 0; talker.opening === ""; handOffs++) {
      const question = { ...questionOf(turn, talker, { signal, handOffs }), onTokens };
      for await (const part of brain.ask(question)) {
        draft.add(part);
        if (draft.isEnded) break;
      }
      const next = draft.isEnded || signal.aborted ? undefined : handedTo(turn, draft.takeHandOff());
      if (!next) break;
      talker = next;
      draft.goOn(talker);
    }
    draft.say(talker.opening);
  } finally {
    cancel();
  }
  if (deadline.signal.aborted && !draft.isEnded) {
    throw new AppError("deadline_exceeded", `The agent's brain took longer than ${MAX_ANSWER_MS / 1_000} s.`);
  }
  const isInterrupted = listener.signal.aborted && !draft.isEnded;
  const tookMs = clock.monotonicMs() - startedMs;
  return draft.finish({ isInterrupted, tookMs, brain: talker.brain, place: placeOf(turn, talker) });
}

function questionOf(
  turn: OpenedTurn,
  talker: Talker,
  { signal, handOffs }: { readonly signal: AbortSignal; readonly handOffs: number },
): BrainQuestion {
  const { variables, input, userId, sessionId, turn: number, heard } = turn;
  const told = { ...variables, ...talker.variables };
  // A flow speaks first when a chat is handed to it.
  const query = talker.isNew && talker.brain.kind === "flow" ? "" : input;
  return {
    plan: talker.brain,
    orgId: turn.orgId,
    request: {
      channel: turn.channel,
      ...told,
      ...{ query, userId, sessionId, turn: number },
      ...(heard === undefined ? {} : { heard }),
    },
    identifier: turn.identifier,
    history: turn.history,
    medium: "text",
    handsTo: handOffs < MAX_HAND_OFFS ? turn.team.map(({ agentId }) => agentId) : [],
    flow: {
      state: talker.state,
      onState: (state) => {
        talker.state = state;
      },
    },
    signal,
    onSent: () => undefined,
    onFirstContent: () => undefined,
  };
}
