import { MAX_TEXT_CHARS } from "@parley/shared/contracts/call-constants.ts";
import { type FormEvent, useState } from "react";
import { Icon } from "../../ui/icon.tsx";

/** Types a turn, for people without a microphone or in a quiet room. */
export function Composer({ onSend }: { readonly onSend: (text: string) => void }) {
  const [text, setText] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    const said = text.trim();
    if (said === "") return;
    onSend(said);
    setText("");
  };
  return (
    <form className="talk-composer" onSubmit={send}>
      <label className="only-heard" htmlFor="composer">
        Type what you want to say
      </label>
      <input
        id="composer"
        className="pf-input"
        value={text}
        maxLength={MAX_TEXT_CHARS}
        placeholder="Type what you want to say"
        autoComplete="off"
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="pf-btn pf-btn-primary" aria-label="Send">
        <Icon name="send" />
      </button>
    </form>
  );
}
