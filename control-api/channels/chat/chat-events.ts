import { toTimestamp } from "@parley/shared/clock.ts";
import {
  CALL_EVENTS_STREAM,
  type CallEvent,
  type CallEventBody,
  encodeCallEvent,
} from "@parley/shared/contracts/call-events.ts";
import { endFor } from "@parley/shared/contracts/call-status.ts";
import { CHAT_CHANNEL } from "@parley/shared/contracts/chat.ts";
import { toolStatusOf } from "@parley/shared/contracts/tool-status.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { IncreasingTime } from "@parley/shared/increasing-time.ts";
import type { Answer } from "./answer.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { OpenedTurn } from "./open-turn.ts";
import type { StoredChat } from "./store.ts";

type At = { readonly at: string };

/** What one kept turn means for the call's record and for webhooks. */
export function eventsOfTurn(chat: StoredChat, turn: OpenedTurn, answer: Answer, nowMs: number): CallEvent[] {
  const asked = { at: turn.askedAt };
  const answered = { at: toTimestamp(nowMs) };
  const message = { type: "call.message", turn: turn.turn } as const;
  const bodies: (CallEventBody & At)[] = [
    ...(chat.turns > 0
      ? []
      : [{ ...asked, type: "call.started", nodeId: CHAT_CHANNEL, audio: "none" } as const]),
    { ...asked, ...message, role: "user", text: turn.input, interrupted: false, source: "text" },
    ...answer.tools.map(
      (tool) =>
        ({
          ...answered,
          type: "call.tool_invoked",
          turn: turn.turn,
          ...tool,
          status: toolStatusOf(tool.status),
        }) as const,
    ),
  ];
  if (answer.reply !== "") {
    const interrupted = answer.isInterrupted;
    bodies.push({
      ...answered,
      ...message,
      role: "assistant",
      text: answer.reply,
      interrupted,
      source: "brain",
    });
  }
  return inEnvelopes(chat, chat.nextSeq, bodies);
}

/** The end of a chat whose next `seq` is given. */
export function endOf(
  chat: StoredChat,
  reason: string,
  { seq, nowMs }: { seq: number; nowMs: number },
): CallEvent {
  // A chat is live from its first message on.
  const end = endFor("in-progress", reason);
  const [event] = inEnvelopes(chat, seq, [{ at: toTimestamp(nowMs), type: "call.ended", ...end }]);
  return event as CallEvent;
}

function inEnvelopes(
  { sessionId, orgId, lastEventAt }: StoredChat,
  firstSeq: number,
  bodies: readonly (CallEventBody & At)[],
): CallEvent[] {
  const times = new IncreasingTime(lastEventAt?.getTime());
  return bodies.map((body, index) => ({
    id: newId("evt"),
    sessionId,
    orgId,
    seq: firstSeq + index,
    ...body,
    at: times.next(Date.parse(body.at)),
  }));
}

/**
 * Puts events on the durable stream, in their order. They stay with the chat until they are seen recorded, so
 * a bus that is away costs none: the sweeper hands them over again.
 */
export async function handOver(
  events: readonly CallEvent[],
  { streams, log }: Pick<ChatDeps, "streams" | "log">,
): Promise<void> {
  try {
    for (const event of events) await streams.append(CALL_EVENTS_STREAM, encodeCallEvent(event));
  } catch (error) {
    log.warn(
      { event: "chat_events_not_published", err: messageOf(error) },
      "failed to publish events of a chat, they are kept",
    );
  }
}
