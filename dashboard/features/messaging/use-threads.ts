import type { Thread, ThreadMessage } from "@parley/shared/contracts/messaging.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

/** How soon a new message is seen while the page is looked at. */
const LIST_MS = 3_000;
const THREAD_MS = 1_500;
const SHOWN = 100;

/** Where an organization's conversations over WhatsApp are asked for. */
export function threadsPath(orgId: string): string {
  return `/api/orgs/${orgId}/whatsapp-hub/threads`;
}

export type Mode = Thread["mode"];

/** The conversations with the newest messages first, of whoever answers them. */
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

/** How many messages are asked for at once. */
export const MESSAGES_SHOWN = 50;

/** A conversation as it goes: its newest messages. */
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

/** Asks for the messages before one of them, oldest first. */
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
