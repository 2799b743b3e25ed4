import { useEffect, useRef } from "react";
import type { TranscriptEntry } from "./transcript-entries.ts";

interface TranscriptProps {
  readonly entries: readonly TranscriptEntry[];
  /** The browser recognizer's current partial transcript. */
  readonly hearing: string;
  readonly agentName: string;
}

/** Within this distance of the end, the reader counts as reading along. */
const NEAR_END_PX = 80;
/** A scrolling box must be keyboard-reachable (WCAG 2.1.1); not every browser ensures that. */
const KEYBOARD_REACHABLE = { tabIndex: 0 } as const;

/** The live conversation; follows its end unless the reader scrolls up. */
export function Transcript({ entries, hearing, agentName }: TranscriptProps) {
  const box = useRef<HTMLDivElement>(null);
  const readsAlong = useRef(true);

  useEffect(() => {
    const { current } = box;
    if (current !== null && readsAlong.current) current.scrollTop = current.scrollHeight;
  });

  const onScroll = () => {
    const { current } = box;
    if (current === null) return;
    readsAlong.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_END_PX;
  };
  const isEmpty = entries.length === 0 && hearing === "";
  return (
    <div ref={box} className="talk-transcript" onScroll={onScroll} {...KEYBOARD_REACHABLE}>
      {isEmpty && <p className="pf-muted talk-empty">The transcript appears here.</p>}
      <div role="log" aria-live="polite" aria-relevant="additions" aria-label="Transcript">
        <ol>
          {entries.map((entry) => (
            // Remounts when final: screen readers hear additions, never a changing partial.
            <Line key={`${entry.id}-${entry.final}`} entry={entry} agentName={agentName} />
          ))}
        </ol>
      </div>
      {hearing !== "" && (
        <p className="talk-line talk-line-user talk-line-open" aria-hidden="true">
          {hearing}
        </p>
      )}
    </div>
  );
}

function Line({ entry, agentName }: { readonly entry: TranscriptEntry; readonly agentName: string }) {
  const side = entry.role === "user" || entry.role === "user-keys" ? "user" : "agent";
  const isKeys = entry.role === "user-keys" || entry.role === "agent-keys";
  const classes = ["talk-line", `talk-line-${side}`];
  if (!entry.final) classes.push("talk-line-open");
  return (
    <li className={classes.join(" ")} aria-hidden={!entry.final}>
      <span className="only-heard">{side === "user" ? "You" : agentName}: </span>
      {isKeys ? <span className="talk-keys">pressed {entry.text}</span> : entry.text}
      {entry.interrupted && <span className="talk-interrupted"> — interrupted</span>}
    </li>
  );
}
