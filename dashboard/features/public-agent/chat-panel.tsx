import type { VisitorPage } from "@parley/shared/contracts/public-agents.ts";
import { useEffect, useRef, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { ChatClient, TokenFault } from "../../widget/chat-client.ts";
import { Conversation, type Shown } from "../../widget/conversation.ts";
import { openMemory } from "../../widget/memory.ts";
import { wordsFor } from "../../widget/words.ts";
import { type Given, type VisitApi, VisitError } from "./visit.ts";

interface ChatPanelProps {
  readonly page: VisitorPage;
  readonly api: VisitApi;
  readonly given: Given;
  readonly onBack: () => void;
}

const { words } = wordsFor([navigator.language], () => undefined);

/** A chat built from the chat widget's parts; survives a reload. */
export function ChatPanel({ page, api, given, onBack }: ChatPanelProps) {
  const [conversation] = useState(() => conversationOf(api, given));
  const [shown, setShown] = useState<Shown>(conversation.shown);
  useEffect(() => {
    conversation.onChange = () => setShown(conversation.shown);
    conversation.resume();
    return () => {
      conversation.onChange = () => undefined;
    };
  }, [conversation]);
  const leave = () => {
    conversation.leave();
    onBack();
  };
  return (
    <main className="pf-card talk-conversation public-chat">
      <Log shown={shown} title={page.title} />
      {shown.fault && (
        <div className="message message-problem" role="alert">
          {shown.fault.text}{" "}
          <button type="button" className="pf-btn" onClick={() => conversation.retry()}>
            {words.retry}
          </button>
        </div>
      )}
      <form
        className="talk-composer"
        onSubmit={(event) => {
          event.preventDefault();
          conversation.send(shown.draft);
        }}
      >
        <input
          className="pf-input"
          aria-label={words.message}
          placeholder={words.placeholder}
          value={shown.draft}
          maxLength={4_000}
          autoComplete="off"
          enterKeyHint="send"
          onChange={(event) => conversation.keep(event.target.value)}
        />
        <button
          type="submit"
          className="pf-btn pf-btn-primary"
          aria-label={words.send}
          aria-disabled={conversation.isBusy}
        >
          <Icon name="send" />
        </button>
      </form>
      <button type="button" className="pf-btn pf-btn-quiet" onClick={leave}>
        End this chat
      </button>
    </main>
  );
}

/** A scrolling box must be keyboard-reachable (WCAG 2.1.1); not every browser ensures that. */
const KEYBOARD_REACHABLE = { tabIndex: 0 } as const;

function Log({ shown, title }: { readonly shown: Shown; readonly title: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return (
    <div ref={box} className="talk-transcript" {...KEYBOARD_REACHABLE}>
      <div role="log" aria-live="polite" aria-relevant="additions" aria-label={words.conversation}>
        {shown.messages.map(({ id, role, text }) => (
          <div key={id} className={`talk-line talk-line-${role === "user" ? "user" : "agent"}`}>
            <span className="only-heard">{role === "user" ? words.you : title}: </span>
            {text}
          </div>
        ))}
      </div>
      {shown.reply !== undefined && (
        <p className="talk-line talk-line-agent talk-line-open" aria-hidden="true">
          {shown.reply === "" ? `${words.writing}…` : shown.reply}
        </p>
      )}
    </div>
  );
}

/** Starts each chat as the page does, with the code and the requested details. */
function conversationOf(api: VisitApi, given: Given): Conversation {
  const client = new ChatClient({ serverUrl: location.origin, tokenUrl: "", agentId: "" });
  const mint = async (): Promise<string> => {
    try {
      return (await api.begin("chat", given)).token ?? "";
    } catch (error) {
      throw error instanceof VisitError ? new TokenFault(error.status, error.retryAfterMs) : error;
    }
  };
  return new Conversation({
    client: { mint, say: (message) => client.say(message), end: (token) => client.end(token) },
    words,
    memory: openMemory(`parley-public:${api.key}`),
  });
}
