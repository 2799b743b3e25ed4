import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { useState } from "react";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { VENDOR_NAMES } from "../billing/vendor-names.at-build.ts";
import { nameIn } from "../calls/call-labels.ts";
import { AddNumberDialog } from "../numbers/add-number-dialog.tsx";
import { SimulateCallDialog } from "../numbers/simulate-call-dialog.tsx";
import { isSimulated } from "../numbers/simulated-phones.ts";
import { type Holders, holderText, nameOf, useHolders } from "../numbers/use-holders.ts";
import { NUMBERS_PATH, useNumbers } from "../numbers/use-numbers.ts";
import { PublicPart } from "./public-part.tsx";
import { SectionPart } from "./section-part.tsx";
import { SwitchSetting } from "./settings-fields.tsx";
import { useEditor } from "./use-editor.tsx";

/** Which numbers the agent answers, and who else may use it: keys, strangers. */
export function AccessSection() {
  return (
    <>
      <NumbersPart />
      <SectionPart title="Access">
        <SwitchSetting path="apiAccess" />
      </SectionPart>
      <PublicPart />
    </>
  );
}

function NumbersPart() {
  const { agent } = useEditor();
  const here = useHere();
  const session = useSession();
  const { data: numbers, problem, reload } = useNumbers();
  const holders = useHolders();
  const [isAdding, setAdding] = useState(false);
  const [called, setCalled] = useState<string>();
  const [news, setNews] = useState<string>();
  const [wanted, setWanted] = useState<{ readonly number: PhoneNumber; readonly agentId: string | null }>();
  const mayChange = can(here, "manage_numbers");
  const give = async (number: PhoneNumber, agentId: string | null): Promise<void> => {
    setNews(undefined);
    const path = `${NUMBERS_PATH}/${number.id}`;
    const given = await session.call<PhoneNumber>(path, {
      method: "PATCH",
      orgId: here.org.id,
      body: { agentId },
    });
    setWanted(undefined);
    setNews(
      agentId === null
        ? `${phoneText(number.number)}: ${holderText(given, holders)}.`
        : `${agent.name} now answers ${phoneText(number.number)}.`,
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
      {numbers?.length === 0 && <p>No numbers yet. A simulated one is free.</p>}
      {numbers && numbers.length > 0 && (
        <ul className="number-list">
          {numbers.map((number) => (
            <NumberRow
              key={number.id}
              number={number}
              agentId={agent.id}
              holders={holders}
              isWanted={wanted?.number.id === number.id}
              onWant={mayChange ? (agentId) => setWanted({ number, agentId }) : undefined}
              onCancel={() => setWanted(undefined)}
              onSimulate={() => setCalled(number.number)}
              onGive={(agentId) => give(number, agentId)}
            />
          ))}
        </ul>
      )}
      {mayChange && (
        <div className="row">
          <button type="button" className="pf-btn" onClick={() => setAdding(true)}>
            Add number
          </button>
        </div>
      )}
      {numbers && called !== undefined && (
        <SimulateCallDialog numbers={numbers} to={called} onClose={() => setCalled(undefined)} />
      )}
      {isAdding && (
        <AddNumberDialog
          holder={{ agentId: agent.id }}
          onClose={() => setAdding(false)}
          onAdded={async ({ number }) => {
            setNews(`${agent.name} now answers ${phoneText(number)}.`);
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
  readonly holders: Holders;
  /** Asks whether to take the number from its holder. */
  readonly isWanted: boolean;
  readonly onWant: ((agentId: string | null) => void) | undefined;
  readonly onCancel: () => void;
  /** Simulates a call to the number. */
  readonly onSimulate: () => void;
  readonly onGive: (agentId: string | null) => Promise<void>;
}

function NumberRow({
  number,
  agentId,
  holders,
  isWanted,
  onWant,
  onCancel,
  onSimulate,
  onGive,
}: NumberRowProps) {
  const isOurs = number.agentId === agentId;
  const to = isOurs ? null : agentId;
  const { run, isBusy, problem } = useSubmit(() => onGive(to));
  const isFree = number.agentId === null && number.userId === null;
  return (
    <li className="number-row">
      <div>
        <strong>{phoneText(number.number)}</strong>{" "}
        <span className="pf-muted">
          {[number.label, number.carrier === "loopback" ? "simulated" : nameIn(VENDOR_NAMES, number.carrier)]
            .filter((text) => text !== "")
            .join(", ")}
        </span>
        <p className={isOurs ? "number-ours" : "pf-muted"}>
          {isOurs ? "Answered by this agent" : holderText(number, holders)}
        </p>
      </div>
      {onWant && !isWanted && (
        <div className="row number-actions">
          {isOurs && isSimulated(number) && (
            <button type="button" className="pf-btn" onClick={onSimulate}>
              <Icon name="call-in" /> Simulate call<span className="only-heard"> to {number.number}</span>
            </button>
          )}
          <button
            type="button"
            className="pf-btn"
            disabled={isBusy}
            onClick={() => (isFree ? void run() : onWant(to))}
          >
            {isOurs ? "Unassign" : "Assign to this agent"}
            <span className="only-heard"> {number.number}</span>
          </button>
        </div>
      )}
      {isWanted && (
        <div className="agent-sure" role="alert">
          <p>{isOurs ? leftText(number, holders) : takenText(number, holders)}</p>
          <div className="row">
            <button
              type="button"
              className="pf-btn pf-btn-danger"
              disabled={isBusy}
              onClick={() => void run()}
            >
              {isOurs ? "Unassign" : "Reassign to this agent"}
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

/** What happens to a number's calls without this agent. */
function leftText({ userId }: PhoneNumber, holders: Holders): string {
  return userId === null ? "Then nobody answers it." : `Then it rings for ${nameOf(userId, holders)}.`;
}

/** Who loses the number's calls to this agent. */
function takenText({ agentId, userId }: PhoneNumber, holders: Holders): string {
  if (agentId !== null) return `Then ${holders.agents.get(agentId) ?? "its agent"} answers it no more.`;
  return `Then it rings no more for ${userId === null ? "anybody" : nameOf(userId, holders)}.`;
}
