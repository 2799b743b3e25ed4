import { AppError, messageOf } from "@parley/shared/errors.ts";
import { handles, type JobHandler, type JobRun } from "../../jobs/job-kind.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { updateChannel } from "../channels/channel-store.ts";
import type { OpenedChannel } from "../channels/senders.ts";
import type { MessagingDeps } from "../deps.ts";
import { GraphError } from "../graph/graph-api.ts";
import { mayWrite, OPTED_OUT, STOPPED_CODE } from "../opt-out/may-write.ts";
import { isStopped, noteStopped } from "../opt-out/note-preference.ts";
import {
  giveUpSending,
  lockMessage,
  type MessageRow,
  takeNextQueued,
  updateMessage,
} from "../threads/message-store.ts";
import { findThread } from "../threads/thread-store.ts";
import { prepareSpoken, type SpeakingDeps } from "../voice/prepare-spoken.ts";
import { isToSpeak } from "../voice/to-speak.ts";
import { countSent } from "./count-sent.ts";
import { mayBecome, type OutboundState } from "./message-states.ts";
import { SEND_THREAD } from "./send-job.ts";
import { isWindowOpen, WINDOW_CODE, windowClosed } from "./window.ts";

const ATTEMPTS = 8;
/** WhatsApp accepts one message per recipient every six seconds, after an initial burst. */
const FIRST_RETRY_MS = 6_000;
const SIDE_BY_SIDE = 64;

type Deps = Pick<MessagingDeps, "metrics" | "senders" | "onWish" | "countMessages"> & SpeakingDeps;

/** Outcome of one attempt to send a message. */
interface Outcome {
  readonly status: OutboundState;
  readonly wamid?: string;
  readonly error?: { readonly code: number | null; readonly message: string };
}

export function sendsThreads(deps: Deps): JobHandler {
  return handles(SEND_THREAD, (run) => sendThread(run, deps), {
    attempts: ATTEMPTS,
    firstRetryMs: FIRST_RETRY_MS,
    longestRetryMs: 120_000,
    sideBySide: SIDE_BY_SIDE,
  });
}

async function sendThread(run: JobRun<{ threadId: string }>, deps: Deps): Promise<void> {
  const { db } = deps.database;
  const { threadId } = run.payload;
  await giveUpSending(db, threadId);
  while (!run.signal.aborted) {
    const message = await takeNextQueued(db, threadId);
    if (!message) return;
    const outcome = await send(message, run.signal, deps);
    const isLast = run.attempt >= ATTEMPTS;
    const final = outcome.status === "queued" && isLast ? { ...outcome, status: "failed" as const } : outcome;
    await write(message, final, deps);
    deps.metrics.messagingSentTotal.inc({ outcome: final.status });
    // Later messages wait behind this one to keep their order.
    if (final.status === "queued") throw new Error(final.error?.message ?? "it is to be sent again");
  }
}

async function send(message: MessageRow, signal: AbortSignal, deps: Deps): Promise<Outcome> {
  const { id } = message;
  const opened = await deps.senders.find(message.channel_id);
  const thread = await findThread(deps.database.db, message.thread_id);
  if (!opened || !thread || message.sealed === null) return failed(null, "The channel no longer exists.");
  const isClosed = message.type !== "template" && !isWindowOpen(thread, deps.clock.wallMs());
  if (isClosed) return failed(WINDOW_CODE, windowClosed(opened.provider));
  // They may have asked for it since the message was queued.
  const kind = message.type === "template" ? "begin" : "reply";
  if (!(await mayWrite(deps.database.db, thread, kind))) {
    // WhatsApp's code is about marketing messages, of which campaigns count it; anything else has none of its own.
    const isTemplate = opened.provider === "whatsapp" && kind === "begin";
    return failed(isTemplate ? STOPPED_CODE : null, OPTED_OUT);
  }
  const kept = JSON.parse(deps.secrets.open(message.sealed, SEAL_CONTEXT.channelMessage(id))) as object;
  const to = { phone: thread.contact_phone, userId: thread.contact_user_id };
  try {
    const payload = isToSpeak(kept) ? await prepareSpoken(message, kept, { opened, signal }, deps) : kept;
    return { status: "sent", wamid: await opened.sender.send(payload, { to, messageId: id, signal }) };
  } catch (error) {
    // WhatsApp tells only now that the contact stopped marketing messages there.
    if (error instanceof GraphError && isStopped(error)) {
      const at = new Date(deps.clock.wallMs());
      const place = { channel: { id: message.channel_id, org_id: message.org_id }, onWish: deps.onWish };
      await deps.database.db.transaction().execute((trx) => noteStopped(trx, { ...to, at }, place));
    }
    return outcomeOf(error, opened, deps);
  }
}

async function outcomeOf(error: unknown, { channelId }: OpenedChannel, deps: Deps): Promise<Outcome> {
  if (!(error instanceof GraphError)) return networkOutcome(error);
  const { code, meaning } = error;
  if (meaning.isTokenGone) await updateChannel(deps.database.db, channelId, { last_error: meaning.words });
  const told = { code, message: meaning.words };
  const status = ({ again: "queued", refused: "failed", unknown: "unknown" } as const)[meaning.fate];
  return { status, error: told };
}

/** Before a connection nothing was sent; after it, the outcome is unknown. */
function networkOutcome(error: unknown): Outcome {
  const message = messageOf(error);
  if (error instanceof AppError && error.code === "blocked_address") return failed(null, message);
  const cause = error instanceof Error ? error.cause : undefined;
  const code = String(Reflect.get(Object(cause), "code") ?? "");
  const wasNeverSent = NEVER_CONNECTED.has(code);
  return { status: wasNeverSent ? "queued" : "unknown", error: { code: null, message } };
}

const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function failed(code: number | null, message: string): Outcome {
  return { status: "failed", error: { code, message } };
}

/** Never reverts a status that arrived earlier. */
async function write({ id }: MessageRow, { status, wamid, error }: Outcome, deps: Deps): Promise<void> {
  await deps.database.db.transaction().execute(async (trx) => {
    const message = await lockMessage(trx, id);
    if (!message) return;
    const isNext = mayBecome(message.status, status);
    const isOver = status !== "queued";
    await updateMessage(trx, id, {
      ...(isNext ? { status } : {}),
      ...(wamid === undefined ? {} : { wamid }),
      ...(isNext && isOver ? { sealed: null } : {}),
      ...(isNext && error !== undefined ? { errors: JSON.stringify([error]) } : {}),
    });
    if (isNext) await countSent(trx, message, status, deps);
  });
}
