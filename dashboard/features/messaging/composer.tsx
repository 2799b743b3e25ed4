import type { Thread } from "@parley/shared/contracts/messaging.ts";
import { type KeyboardEvent, useRef, useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/messages.tsx";
import { useNow } from "../../ui/use-now.ts";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { windowText } from "./messaging-labels.ts";
import { SendTemplateDialog } from "./send-template-dialog.tsx";
import { threadsPath } from "./use-threads.ts";

/** Maximum length of one message. */
const MAX_CHARS = { whatsapp: 4_096, instagram: 1_000 } as const;

interface ComposerProps {
  readonly thread: Thread;
  readonly onSent: () => Promise<void>;
}

/** The reply box: free text within 24 hours of the contact's message, a template at any time. */
export function Composer({ thread, onSent }: ComposerProps) {
  const session = useSession();
  const { org } = useHere();
  const nowMs = useNow();
  const form = useRef<HTMLFormElement>(null);
  const [isPicking, setPicking] = useState(false);
  const send = useSubmit(async (fields) => {
    const text = textOf(fields, "text");
    if (text === "") return;
    await session.call(`${threadsPath(org.id)}/${thread.id}/messages`, { orgId: org.id, body: { text } });
    form.current?.reset();
    await onSent();
  });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  return (
    <div className="composer">
      {thread.isWindowOpen && thread.mayReply && (
        <form ref={form} onSubmit={send.onSubmit} className="composer-form">
          <textarea
            name="text"
            className="pf-textarea"
            aria-label="Message"
            placeholder="Write a message. Enter sends it."
            rows={2}
            maxLength={MAX_CHARS[thread.channelKind]}
            onKeyDown={onKeyDown}
          />
          <button type="submit" className="pf-btn pf-btn-primary" aria-disabled={send.isBusy}>
            <Icon name="send" />
            Send
          </button>
        </form>
      )}
      {send.problem && <Problem>{send.problem}</Problem>}
      <div className="row row-spread">
        <p className="pf-muted">
          {windowText(thread, nowMs)}
          {thread.mode === "agent" && thread.isWindowOpen && " Writing takes the conversation over."}
        </p>
        {thread.channelKind === "whatsapp" && !thread.isOptedOut && (
          <button type="button" className="pf-btn" onClick={() => setPicking(true)}>
            Send template
          </button>
        )}
      </div>
      {isPicking && (
        <SendTemplateDialog
          thread={thread}
          onClose={() => setPicking(false)}
          onSent={async () => {
            setPicking(false);
            await onSent();
          }}
        />
      )}
    </div>
  );
}
