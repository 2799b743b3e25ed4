import { type FormEvent, useId, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { readCallUrl } from "./session.ts";

interface ConnectFormProps {
  readonly initialUrl: string;
  readonly onConnect: (input: "voice" | "text", websocketUrl: string) => void;
}

/** Joins a call that one's own backend created with `init-web-call`. */
export function ConnectForm({ initialUrl, onConnect }: ConnectFormProps) {
  const [text, setText] = useState(initialUrl);
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const connect = (input: "voice" | "text") => {
    const read = readCallUrl(text, location.protocol);
    if ("problem" in read) setProblem(read.problem);
    else onConnect(input, read.url);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connect("voice");
  };
  return (
    <form className="talk-connect" onSubmit={submit} noValidate>
      <label htmlFor={id}>Call URL</label>
      <input
        id={id}
        className="pf-input"
        type="url"
        value={text}
        placeholder="wss://…/v1/calls/…?ticket=…"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-help`}
        aria-invalid={problem !== undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <p id={`${id}-help`} className={problem === undefined ? "pf-muted" : "talk-problem"} role="status">
        {problem ??
          "The websocketUrl that POST /api/sessions/init-web-call answers. It is good for one minute."}
      </p>
      <button type="submit" className="pf-btn pf-btn-primary talk-big">
        <Icon name="microphone" /> Start talking
      </button>
      <button type="button" className="pf-btn pf-btn-quiet" onClick={() => connect("text")}>
        <Icon name="keyboard" /> Type instead
      </button>
    </form>
  );
}
