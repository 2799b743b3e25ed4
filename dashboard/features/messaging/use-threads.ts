import type { Thread, ThreadMessage } from "@parley/shared/contracts/messaging.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** Polling interval for new messages while the page is visible. */
const LIST_MS = 3_000;
const THREAD_MS = 1_500;
const SHOWN = 100;

/** API path of an organization's WhatsApp conversations. */
export function threadsPath(orgId: string): string {
  return `/api/orgs/${orgId}/whatsapp-hub/threads`;
}

export type Mode = Thread["mode"];

/** Conversations answered by `mode`, sorted by newest message. */
export function useThreads(mode: Mode | undefined): Data<readonly Thread[]> {
  const session = useSession();
  const { org } = useHere();
  const query = new URLSearchParams({ limit: String(SHOWN), ...(mode ? { mode } : {}) });
  const path = `${threadsPath(org.id)}?${query}`;
  return useData(
    path,
    async () => {
      const { threads } = await session.call<{ threads: readonly Thread[] }>(path, {
        method: "GET",
        orgId: org.id,
      });
      return threads;
    },
    { everyMs: LIST_MS, isList: true },
  );
}

export interface Conversation {
  readonly thread: Thread;
  /** Oldest first. */
  readonly messages: readonly ThreadMessage[];
}

/** Messages per request. */
export const MESSAGES_SHOWN = 50;

/** A live conversation's newest messages. */
export function useConversation(threadId: string): Data<Conversation> {
  const session = useSession();
  const { org } = useHere();
  const path = `${threadsPath(org.id)}/${threadId}`;
  const get = <T>(from: string): Promise<T> => session.call<T>(from, { method: "GET", orgId: org.id });
  return useData(
    `${path} with messages`,
    async () => {
      const [thread, { messages }] = await Promise.all([
        get<Thread>(path),
        get<{ messages: readonly ThreadMessage[] }>(`${path}/messages?limit=${MESSAGES_SHOWN}`),
      ]);
      return { thread, messages };
    },
    { everyMs: THREAD_MS, isList: true },
  );
}

/** Loads the messages before a given one, oldest first. */
export function useOlderMessages(threadId: string): (before: string) => Promise<readonly ThreadMessage[]> {
  const session = useSession();
  const { org } = useHere();
  return async (before) => {
    const query = new URLSearchParams({ limit: String(MESSAGES_SHOWN), before });
    const { messages } = await session.call<{ messages: readonly ThreadMessage[] }>(
      `${threadsPath(org.id)}/${threadId}/messages?${query}`,
      { method: "GET", orgId: org.id },
    );
    return messages;
  };
}
