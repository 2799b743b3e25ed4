import type { ThreadMessage } from "@parley/shared/contracts/messaging.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import { contactText } from "./messaging-labels.ts";
import {
  type Conversation,
  MESSAGES_SHOWN,
  threadsPath,
  useConversation,
  useOlderMessages,
} from "./use-threads.ts";

/** A conversation: its messages, who answers, and a reply box. */
export function ConversationPanel({ threadId }: { readonly threadId: string }) {
  const loaded = useConversation(threadId);
  return (
    <section className="pf-card conversation" aria-label="Conversation">
      <Link to="/inbox" className="back-link conversation-back">
        <Icon name="back" /> All conversations
      </Link>
      <Loaded of={loaded}>
        {(conversation) => <Known conversation={conversation} reload={loaded.reload} />}
      </Loaded>
    </section>
  );
}

interface KnownProps {
  readonly conversation: Conversation;
  readonly reload: () => Promise<void>;
}

function Known({ conversation: { thread, messages }, reload }: KnownProps) {
  const session = useSession();
  const { org } = useHere();
  const mayWrite = isAtLeast(org.role, "developer");
  const path = `${threadsPath(org.id)}/${thread.id}`;
  const isTaken = thread.mode === "member";
  const history = useHistory(thread.id, messages);
  const turn = useSubmit(async () => {
    await session.call(`${path}/${isTaken ? "hand-back" : "take-over"}`, { orgId: org.id });
    await reload();
  });
  useEffect(() => {
    if (!mayWrite || thread.unread === 0) return;
    // If marking it read fails, it stays unread until the next refresh.
    session.call(`${path}/read`, { orgId: org.id }).catch(() => undefined);
  }, [session, org.id, path, mayWrite, thread.unread]);
  return (
    <>
      <header className="row row-spread">
        <div>
          <h2>{contactText(thread)}</h2>
          <p className="pf-muted">
            {thread.contactName !== null &&
              thread.contactPhone !== null &&
              `${phoneText(thread.contactPhone)} · `}
            {isTaken ? "Your team answers" : "The agent answers"}
          </p>
        </div>
        {mayWrite && (
          <button
            type="button"
            className="pf-btn"
            aria-disabled={turn.isBusy}
            onClick={() => void turn.run()}
          >
            {isTaken ? "Hand back to agent" : "Take over"}
          </button>
        )}
      </header>
      {turn.problem && <Problem>{turn.problem}</Problem>}
      {thread.trouble !== null && <Problem>The agent’s last answer failed: {thread.trouble}</Problem>}
      {history.problem && <Problem>{history.problem}</Problem>}
      <MessageList messages={history.messages} onOlder={history.onOlder} />
      {mayWrite ? (
        <Composer thread={thread} onSent={reload} />
      ) : (
        <p className="pf-muted">Your role here is {org.role}: you can read, not write.</p>
      )}
    </>
  );
}

/** The newest messages, plus older ones loaded on request. */
function useHistory(threadId: string, newest: readonly ThreadMessage[]) {
  const askOlder = useOlderMessages(threadId);
  const [older, setOlder] = useState<readonly ThreadMessage[]>([]);
  const [isWhole, setWhole] = useState(newest.length < MESSAGES_SHOWN);
  const all = new Map([...older, ...newest].map((message) => [message.id, message]));
  const [first] = all.keys();
  const { run, problem } = useSubmit(async () => {
    if (first === undefined) return;
    const found = await askOlder(first);
    setOlder((known) => [...found, ...known]);
    setWhole(found.length < MESSAGES_SHOWN);
  });
  return { messages: [...all.values()], problem, onOlder: isWhole ? undefined : () => void run() };
}
