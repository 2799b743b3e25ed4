import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import type { Channels, Unsubscribe } from "./bus.ts";

const envelopeSchema = z.object({ replyTo: z.string().optional(), payload: z.string() });
/** Anyone on the bus can publish anything; text that is not JSON is an error like any other. */
const messageSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "not JSON" });
      return z.NEVER;
    }
  })
  .pipe(envelopeSchema);

/** Asks the server of `channel` and waits for the first answer; undefined when none came within `deadlineMs`. */
export async function request(
  channels: Channels,
  channel: string,
  question: { payload: string; deadlineMs: number; clock: Clock },
): Promise<string | undefined> {
  const replyTo = `reply:${randomUUID()}`;
  const { payload, deadlineMs, clock } = question;
  let settle: (answer: string | undefined) => void = () => undefined;
  const answered = new Promise<string | undefined>((resolve) => {
    settle = resolve;
  });
  const stop = await channels.subscribe(replyTo, (answer) => settle(answer));
  const cancel = clock.after(deadlineMs, () => settle(undefined));
  try {
    await channels.publish(channel, JSON.stringify({ replyTo, payload }));
    return await answered;
  } finally {
    cancel();
    await stop();
  }
}

/** Sends a request to the server of `channel` that wants no answer. */
export function tell(channels: Channels, channel: string, payload: string): Promise<void> {
  return channels.publish(channel, JSON.stringify({ payload }));
}

/**
 * Answers requests on `channel`. Anything that is not a request is ignored; a handler that throws sends no answer,
 * and the asker's deadline expires.
 */
export function serve(
  channels: Channels,
  channel: string,
  handler: (payload: string) => Promise<string>,
): Promise<Unsubscribe> {
  return channels.subscribe(channel, (message) => {
    const parsed = messageSchema.safeParse(message);
    if (!parsed.success) return;
    const { replyTo, payload } = parsed.data;
    Promise.resolve(payload)
      .then(handler)
      .then((answer) => (replyTo === undefined ? undefined : channels.publish(replyTo, answer)))
      .catch(() => undefined);
  });
}
