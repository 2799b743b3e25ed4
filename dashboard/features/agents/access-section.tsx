import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { useState } from "react";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { Problem, Success } from "../../ui/messages.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { AddNumberDialog } from "./add-number-dialog.tsx";
import { SectionPart } from "./section-part.tsx";
import { SwitchSetting } from "./settings-fields.tsx";
import { useAgentNames } from "./use-agent-names.ts";
import { useEditor } from "./use-editor.tsx";
import { NUMBERS_PATH, useNumbers } from "./use-numbers.ts";

/** Which numbers the agent answers, and whether keys may use it. */
export function AccessSection() {
  return (
    <>
      <NumbersPart />
      <SectionPart title="Access">
        <SwitchSetting path="apiAccess" />
      </SectionPart>
    </>
  );
}

function NumbersPart() {
  const { agent } = useEditor();
  const here = useHere();
  const session = useSession();
  const { data: numbers, problem, reload } = useNumbers();
  const names = useAgentNames();
  const [isAdding, setAdding] = useState(false);
  const [news, setNews] = useState<string>();
  const [wanted, setWanted] = useState<{ readonly number: PhoneNumber; readonly agentId: string | null }>();
  const mayChange = can(here, "manage_numbers");
  const give = async (number: PhoneNumber, agentId: string | null): Promise<void> => {
    setNews(undefined);
    const path = `${NUMBERS_PATH}/${number.id}`;
    await session.call(path, { method: "PATCH", orgId: here.org.id, body: { agentId } });
    setWanted(undefined);
    setNews(
      agentId === null
        ? `Nobody answers ${number.number} now.`
        : `${agent.name} answers ${number.number} from now on.`,
    );
    await reload();
  };
  return (
    <SectionPart
      title="Numbers"
      lead="The agent answers calls to its numbers, and calls from the first of them. This takes effect at once."
    >
      {problem && <Problem>{problem}</Problem>}
      {news && <Success>{news}</Success>}
      {numbers?.length === 0 && <p>The organization has no number yet. A simulated one costs nothing.</p>}
      {numbers && numbers.length > 0 && (
        <ul className="agent-numbers">
          {numbers.map((number) => (
            <NumberRow
              key={number.id}
              number={number}
              agentId={agent.id}
              holder={number.agentId === null ? undefined : (names.get(number.agentId) ?? number.agentId)}
              isWanted={wanted?.number.id === number.id}
              onWant={mayChange ? (agentId) => setWanted({ number, agentId }) : undefined}
              onCancel={() => setWanted(undefined)}
              onGive={(agentId) => give(number, agentId)}
            />
          ))}
        </ul>
      )}
      {mayChange && (
        <div className="row">
          <button type="button" className="pf-btn" onClick={() => setAdding(true)}>
            Add a number …
          </button>
        </div>
      )}
      {isAdding && (
        <AddNumberDialog
          agentId={agent.id}
          onClose={() => setAdding(false)}
          onAdded={async (number) => {
            setNews(`${agent.name} answers ${number} from now on.`);
            await reload();
          }}
        />
      )}
    </SectionPart>
  );
}

interface NumberRowProps {
  readonly number: PhoneNumber;
  readonly agentId: string;
  /** Who answers it, by name; undefined: nobody. */
  readonly holder: string | undefined;
  /** Somebody is asked whether it shall be taken from its holder. */
  readonly isWanted: boolean;
  readonly onWant: ((agentId: string | null) => void) | undefined;
  readonly onCancel: () => void;
  readonly onGive: (agentId: string | null) => Promise<void>;
}

function NumberRow({ number, agentId, holder, isWanted, onWant, onCancel, onGive }: NumberRowProps) {
  const isOurs = number.agentId === agentId;
  const to = isOurs ? null : agentId;
  const { run, isBusy, problem } = useSubmit(() => onGive(to));
  const isFree = number.agentId === null;
  return (
    <li className="agent-number-row">
      <div>
        <strong>{number.number}</strong>{" "}
        <span className="pf-muted">
          {[number.label, number.carrier === "loopback" ? "simulated" : number.carrier]
            .filter((text) => text !== "")
            .join(", ")}
        </span>
        <p className={isOurs ? "agent-ours" : "pf-muted"}>{answeredText(isOurs, holder)}</p>
      </div>
      {onWant && !isWanted && (
        <button
          type="button"
          className="pf-btn"
          disabled={isBusy}
          onClick={() => (isFree ? void run() : onWant(to))}
        >
          {isOurs ? "Take away" : "Give to this agent"}
          <span className="only-heard"> {number.number}</span>
        </button>
      )}
      {isWanted && (
        <div className="agent-sure" role="alert">
          <p>{isOurs ? "Then nobody answers it." : `Then ${holder ?? "its agent"} answers it no more.`}</p>
          <div className="row">
            <button
              type="button"
              className="pf-btn pf-btn-danger"
              disabled={isBusy}
              onClick={() => void run()}
            >
              {isOurs ? "Take it away" : "Take it over"}
              <span className="only-heard"> {number.number}</span>
            </button>
            <button type="button" className="pf-btn" onClick={onCancel}>
              Cancel
            </button>
          </div>
        </div>
      )}
      {problem && <Problem>{problem}</Problem>}
    </li>
  );
}

function answeredText(isOurs: boolean, holder: string | undefined): string {
  if (isOurs) return "Answered by this agent";
  return holder === undefined ? "Answered by nobody" : `Answered by ${holder}`;
}
