import type { StoredEntry, Streams } from "@parley/shared/bus/bus.ts";
import { appendCallEvent } from "@parley/shared/bus/call-event-stream.ts";
import { toTimestamp } from "@parley/shared/clock.ts";
import { decodeCallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { DEAD_EVENTS_STREAM, type DeadEvent, deadEventSchema } from "@parley/shared/contracts/dead-events.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";

const PAGE = 500;

export interface ListedDeadEvent extends DeadEvent {
  /** Its entry id in the dead stream, which identifies it. */
  readonly deadId: string;
}

/** Replacements for top-level fields of an event, by name. */
export type Mend = Readonly<Record<string, unknown>>;

/** Lists all dead events, oldest first, including stream entries that are not events, as they are. */
export async function listDeadEvents(streams: Pick<Streams, "list">): Promise<ListedDeadEvent[]> {
  const found: ListedDeadEvent[] = [];
  for (;;) {
    const page = await streams.list(DEAD_EVENTS_STREAM, { count: PAGE, after: found.at(-1)?.deadId });
    found.push(...page.map(listed));
    if (page.length < PAGE) return found;
  }
}

function listed({ entryId: deadId, payload }: StoredEntry): ListedDeadEvent {
  try {
    return { deadId, ...deadEventSchema.parse(JSON.parse(payload)) };
  } catch (error) {
    const reason = `this entry cannot be read: ${messageOf(error)}`;
    return { deadId, at: addedAt(deadId), reason, tries: 0, entryId: deadId, payload };
  }
}

/** Entry ids begin with the time of insertion in ms. */
function addedAt(deadId: string): string {
  const ms = Number(deadId.split("-", 1)[0]);
  return toTimestamp(Number.isFinite(ms) ? ms : 0);
}

/** Throws `AppError` not_found. */
export async function findDeadEvent(
  streams: Pick<Streams, "list">,
  deadId: string,
): Promise<ListedDeadEvent> {
  const found = (await listDeadEvents(streams)).find((dead) => dead.deadId === deadId);
  if (!found) throw new AppError("not_found", `No dead event has the id ${deadId}.`);
  return found;
}

/**
 * Puts a mended event back on the stream; the event projector writes it once, however often it comes. Throws `AppError`
 * validation_failed if it is still not a valid event; it then stays among the dead.
 */
export async function replayDeadEvent(
  streams: Pick<Streams, "append" | "remove">,
  { deadId, payload }: ListedDeadEvent,
  mend: Mend = {},
): Promise<void> {
  let event: string;
  try {
    event = encodeCallEvent(decodeCallEvent(JSON.stringify({ ...JSON.parse(payload), ...mend })));
  } catch (cause) {
    throw new AppError("validation_failed", `${deadId} is no call event as it stands: ${messageOf(cause)}`, {
      cause,
    });
  }
  await appendCallEvent(streams, event);
  await dropDeadEvent(streams, deadId);
}

export async function dropDeadEvent(streams: Pick<Streams, "remove">, deadId: string): Promise<void> {
  await streams.remove(DEAD_EVENTS_STREAM, [deadId]);
}
