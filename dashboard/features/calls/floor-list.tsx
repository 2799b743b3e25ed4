import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { clockText, speakerNames } from "./call-labels.ts";
import { floorLines } from "./floor-labels.ts";

type Turn = CallDetail["floor"][number];

/** Who was given the floor in each turn, when and why, on the call's clock. */
export function FloorList({ call }: { readonly call: CallDetail }) {
  const { user } = speakerNames(call);
  const scrolled = useKeyboardScroll<HTMLElement>();
  return (
    <section ref={scrolled} className="pf-card panel" aria-labelledby="floor-title">
      <h2 id="floor-title">Turn-taking</h2>
      <p className="pf-muted">
        What decided who speaks, turn by turn. Times count from the start of the call.
      </p>
      {call.floor.map((turn) => (
        <TurnDecisions key={turn.turn} turn={turn} who={user} />
      ))}
    </section>
  );
}

function TurnDecisions({ turn, who }: { readonly turn: Turn; readonly who: string }) {
  const id = `floor-${turn.turn}`;
  return (
    <>
      <h3 id={id} className="call-turn">
        {turn.turn === 0 ? "Greeting" : `Turn ${turn.turn}`}
      </h3>
      <ol className="call-lines" aria-labelledby={id}>
        {floorLines(turn, who).map(({ key, atSecs, text }) => (
          <li key={key} className="call-line">
            <span className="pf-muted call-clock">{clockText(atSecs)}</span>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      {turn.dropped > 0 && <p className="pf-muted">{`${turn.dropped} more not kept`}</p>}
    </>
  );
}
