import { z } from "zod";
import type { JobKind } from "../../jobs/job-kind.ts";

/** Sends a conversation's queued messages in order, one at a time. */
export const SEND_THREAD: JobKind<{ threadId: string }> = {
  name: "send_thread",
  payload: z.object({ threadId: z.string() }),
};
