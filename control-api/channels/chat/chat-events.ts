import { appendCallEvent } from "@parley/shared/bus/call-event-stream.ts";
import { toTimestamp } from "@parley/shared/clock.ts";
import { type CallEvent, type CallEventBody, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { endFor } from "@parley/shared/contracts/call-status.ts";
import { CHAT_CHANNEL } from "@parley/shared/contracts/text-channels.ts";
import { toolStatusOf } from "@parley/shared/contracts/tool-status.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { IncreasingTime } from "@parley/shared/increasing-time.ts";
import type { Answer, AnswerPart } from "./answer-parts.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { OpenedTurn } from "./open-turn.ts";
import type { StoredChat } from "./store.ts";

type At = { readonly at: string };

/** Events of one kept turn, for the call's record and for webhooks. */
export function eventsOfTurn(chat: StoredChat, turn: OpenedTurn, answer: Answer, nowMs: number): CallEvent[] {
  const asked = { at: turn.askedAt };
  const bodies: (CallEventBody & At)[] = [
    ...(chat.turns > 0
      ? []
      : [{ ...asked, type: "call.started", nodeId: CHAT_CHANNEL, audio: "none" } as const]),
    {
      ...asked,
      ...{ type: "call.message", turn: turn.turn, role: "user", text: turn.input },
      ...{ interrupted: false, source: "text" },
    },
    ...answer.parts.flatMap((part, index) => {
      const interrupted = answer.isInterrupted && index === answer.parts.length - 1;
      return bodiesOf(part, { turn: turn.turn, interrupted, at: toTimestamp(nowMs) });
    }),
  ];
  const [first] = answer.parts;
  const talksElse = first && first.agentId !== turn.agentId ? first.agentId : undefined;
  return inEnvelopes(chat, { firstSeq: chat.nextSeq, talksElse }, bodies);
}

/** Event bodies of one agent's part of an answer. */
export function bodiesOf(
  { agentId, agentVersion, summary, path, tools, tokens, reply }: AnswerPart,
  { turn, interrupted, at }: { readonly turn: number; readonly interrupted: boolean; readonly at: string },
): (CallEventBody & At)[] {
  const handedOff =
    summary === undefined ? [] : [{ type: "call.handed_off", agentId, agentVersion, summary } as const];
  const said = { role: "assistant", text: reply, interrupted, source: "brain" } as const;
  const bodies = [
    ...handedOff,
    ...path.map((node) => ({ type: "call.node_entered", node }) as const),
    ...tools.map(
      (tool) => ({ type: "call.tool_invoked", ...tool, status: toolStatusOf(tool.status) }) as const,
    ),
    ...tokens.map((used) => ({ type: "call.tokens_used", ...used }) as const),
    ...(reply === "" ? [] : [{ type: "call.message", ...said } as const]),
  ];
  return bodies.map((body) => ({ ...body, turn, at }));
}

/** The end event of a chat, with the next `seq` given. */
export function endOf(
  chat: StoredChat,
  reason: string,
  { seq, nowMs, talksElse }: { seq: number; nowMs: number; talksElse?: string | undefined },
): CallEvent {
  // A chat is live from its first message.
  const end = endFor("in-progress", reason);
  const [event] = inEnvelopes(chat, { firstSeq: seq, talksElse }, [
    { at: toTimestamp(nowMs), type: "call.ended", ...end },
  ]);
  return event as CallEvent;
}

/** `talksElse`: the agent that has the chat before the first event, if not the chat's own. */
export function inEnvelopes(
  { sessionId, orgId, lastEventAt }: Pick<StoredChat, "sessionId" | "orgId" | "lastEventAt">,
  { firstSeq, talksElse }: { readonly firstSeq: number; readonly talksElse: string | undefined },
  bodies: readonly (CallEventBody & At)[],
): CallEvent[] {
  const times = new IncreasingTime(lastEventAt?.getTime());
  let agent: { agentId?: string } = talksElse === undefined ? {} : { agentId: talksElse };
  return bodies.map((body, index) => {
    if (body.type === "call.handed_off") agent = { agentId: body.agentId };
    const seq = firstSeq + index;
    return {
      id: newId("evt"),
      sessionId,
      orgId,
      ...agent,
      seq,
      ...body,
      at: times.next(Date.parse(body.at)),
    };
  });
}

/**
 * Publishes events on the durable stream, in order. They stay with the chat until seen in the record, so an outage of
 * the bus loses none: the sweeper publishes them again.
 */
export async function handOver(
  events: readonly CallEvent[],
  { streams, log }: Pick<ChatDeps, "streams" | "log">,
): Promise<void> {
  try {
    for (const event of events) await appendCallEvent(streams, encodeCallEvent(event));
  } catch (error) {
    log.warn(
      { event: "chat_events_not_published", err: messageOf(error) },
      "failed to publish events of a chat, they are kept",
    );
  }
}
