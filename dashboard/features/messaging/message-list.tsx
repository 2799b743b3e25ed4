import type { ThreadMessage } from "@parley/shared/contracts/messaging.ts";
import { useEffect, useRef } from "react";
import { Time } from "../../ui/time.tsx";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { authorText, stateText, typeText } from "./messaging-labels.ts";

interface MessageListProps {
  /** Oldest first. */
  readonly messages: readonly ThreadMessage[];
  /** Shows older messages; undefined when there are none. */
  readonly onOlder: (() => void) | undefined;
}

/** The messages, scrolled to the newest. */
export function MessageList({ messages, onOlder }: MessageListProps) {
  const box = useKeyboardScroll<HTMLElement>();
  const end = useRef<HTMLDivElement>(null);
  const newest = messages.at(-1)?.id;
  useEffect(() => {
    if (newest !== undefined) end.current?.scrollIntoView({ block: "nearest" });
  }, [newest]);
  return (
    <section ref={box} className="message-box" aria-label="Messages">
      {onOlder && (
        <button type="button" className="pf-btn pf-btn-quiet" onClick={onOlder}>
          Show older messages
        </button>
      )}
      <ol className="message-list">
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ol>
      <div ref={end} />
    </section>
  );
}

function Message({ message }: { readonly message: ThreadMessage }) {
  const type = typeText(message.type);
  const state = stateText(message);
  return (
    <li className={`bubble bubble-${message.direction}`}>
      {type !== undefined && <p className="bubble-type">{type}</p>}
      {message.body !== null && message.body !== "" && <p className="bubble-text">{message.body}</p>}
      {message.media !== null && <Media media={message.media} />}
      <p className="pf-muted bubble-foot">
        {authorText(message)} · <Time at={message.sentAt} />
        {state !== undefined && ` · ${state}`}
      </p>
      {message.errors.map((error) => (
        <p key={`${error.code} ${error.message}`} className="channel-error bubble-foot">
          {error.message}
        </p>
      ))}
    </li>
  );
}

function Media({ media }: { readonly media: NonNullable<ThreadMessage["media"]> }) {
  const { signedUrl, mimeType, filename, error } = media;
  if (error !== null) return <p className="channel-error">{error}</p>;
  if (signedUrl === null) return <p className="pf-muted">Downloading…</p>;
  if (mimeType.startsWith("image/") && mimeType !== "image/svg+xml")
    return (
      <a href={signedUrl} target="_blank" rel="noreferrer">
        <img className="bubble-image" src={signedUrl} alt={filename ?? "Sent by the contact"} />
      </a>
    );
  if (mimeType.startsWith("audio/"))
    return (
      <a href={signedUrl} target="_blank" rel="noreferrer">
        Play {filename ?? "the recording"}
      </a>
    );
  return (
    <a href={signedUrl} download={filename ?? ""}>
      Download {filename ?? "file"}
    </a>
  );
}
