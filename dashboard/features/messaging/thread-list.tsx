import type { Thread } from "@parley/shared/contracts/messaging.ts";
import { Link } from "@tanstack/react-router";
import { phoneText } from "../../ui/phone-text.ts";
import { Time } from "../../ui/time.tsx";
import { contactText } from "./messaging-labels.ts";

interface ThreadListProps {
  readonly threads: readonly Thread[];
  readonly chosen: string | null;
}

/** Conversations, sorted by newest message. */
export function ThreadList({ threads, chosen }: ThreadListProps) {
  return (
    <nav aria-label="Conversations" className="pf-card thread-list">
      <ul>
        {threads.map((thread) => (
          <li key={thread.id}>
            <Link
              to="/inbox"
              search={{ thread: thread.id }}
              className="live-choice"
              aria-current={thread.id === chosen ? "true" : undefined}
            >
              <span className="thread-head">
                <strong>{contactText(thread)}</strong>
                {thread.unread > 0 && (
                  <span className="pf-badge thread-unread">
                    {thread.unread}
                    <span className="only-heard"> unread</span>
                  </span>
                )}
              </span>
              <span className="thread-preview">{thread.preview ?? ""}</span>
              <span className="pf-muted">
                {thread.contactName !== null &&
                  thread.contactPhone !== null &&
                  `${phoneText(thread.contactPhone)} · `}
                {thread.channelKind === "instagram" && "Instagram · "}
                <Time at={thread.lastMessageAt} /> · {thread.mode === "agent" ? "Agent" : "Your team"}
                {thread.trouble !== null && <span className="channel-error"> · agent failed</span>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
