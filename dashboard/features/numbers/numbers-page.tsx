import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { can, useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Success } from "../../ui/messages.tsx";
import { shownNumber } from "../softphone/phone-number.ts";
import { isSimulated } from "./simulated-phones.ts";
import { type Holders, holderText, isAnswered, nameOf, useHolders } from "./use-holders.ts";
import { useNumbers } from "./use-numbers.ts";

type Open =
  | { readonly at: "none" }
  | { readonly at: "add" }
  | { readonly at: "give" | "take" | "simulate"; readonly number: PhoneNumber };

const CarrierName = later(async () => (await import("./carrier-name.tsx")).CarrierName);
const AddNumberDialog = later(async () => (await import("./add-number-dialog.tsx")).AddNumberDialog);
const GiveNumberDialog = later(async () => (await import("./change-dialogs.tsx")).GiveNumberDialog);
const TakeAwayDialog = later(async () => (await import("./change-dialogs.tsx")).TakeAwayDialog);
const SimulateCallDialog = later(async () => (await import("./simulate-call-dialog.tsx")).SimulateCallDialog);

/** The organization's numbers, and whom each rings. */
export function NumbersPage() {
  const here = useHere();
  const loaded = useNumbers();
  const { data: numbers, reload } = loaded;
  const holders = useHolders();
  const [open, setOpen] = useState<Open>({ at: "none" });
  const [news, setNews] = useState<string>();
  const mayChange = can(here, "manage_numbers");
  const show = (next: Open): void => {
    setNews(undefined);
    setOpen(next);
  };
  const close = (): void => setOpen({ at: "none" });
  const tell = async (number: PhoneNumber): Promise<void> => {
    setNews(`${shownNumber(number.number)}: ${holderText(number, holders)}.`);
    await reload();
  };
  const about = { holders, onClose: close, onChanged: tell };
  return (
    <AppPage title="Numbers">
      <div className="row row-spread">
        <p className="pf-muted">Route each number to an agent or a teammate.</p>
        {mayChange ? (
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => show({ at: "add" })}>
            Add a number
          </button>
        ) : (
          <AskForNumbers role={here.org.role} />
        )}
      </div>
      <Loaded of={loaded}>{() => null}</Loaded>
      {news && <Success>{news}</Success>}
      {numbers?.length === 0 && (
        <p className="pf-card panel">There is no number yet. A simulated one costs nothing.</p>
      )}
      {numbers && numbers.length > 0 && (
        <section className="pf-card panel" aria-label="Numbers">
          <ul className="number-list">
            {numbers.map((number) => (
              <NumberRow
                key={number.id}
                number={number}
                holders={holders}
                onOpen={mayChange ? (at) => show({ at, number }) : undefined}
              />
            ))}
          </ul>
        </section>
      )}
      <Suspense>
        {open.at === "add" && <AddNumberDialog holder={holders} onClose={close} onAdded={tell} />}
        {open.at === "give" && <GiveNumberDialog number={open.number} {...about} />}
        {open.at === "simulate" && numbers && (
          <SimulateCallDialog numbers={numbers} to={open.number.number} onClose={close} />
        )}
        {open.at === "take" && <TakeAwayDialog number={open.number} {...about} />}
      </Suspense>
    </AppPage>
  );
}

function AskForNumbers({ role }: { readonly role: string }) {
  return (
    <p>
      Owners, admins and developers add numbers and give them to people; your role here is {role}. Ask one of
      them under <Link to="/members">Members</Link>.
    </p>
  );
}

interface NumberRowProps {
  readonly number: PhoneNumber;
  readonly holders: Holders;
  /** Undefined for people who may only look. */
  readonly onOpen: ((at: "give" | "take" | "simulate") => void) | undefined;
}

function NumberRow({ number, holders, onOpen }: NumberRowProps) {
  const { label, carrier, agentId, userId } = number;
  const shown = shownNumber(number.number);
  const isFree = agentId === null && userId === null;
  return (
    <li className="number-row">
      <div>
        <p>
          <strong>{shown}</strong>
          {label !== "" && <span className="pf-muted"> {label}</span>}
        </p>
        <p className={isFree ? "pf-muted" : ""}>{holderText(number, holders)}</p>
        <p className="pf-muted">
          <Suspense>
            <CarrierName of={carrier} />
          </Suspense>
        </p>
        {agentId !== null && userId !== null && (
          <p className="pf-muted">Calls made by {nameOf(userId, holders)} come from it</p>
        )}
      </div>
      {onOpen && (
        <div className="row number-actions">
          {isSimulated(number) && isAnswered(number, holders) && (
            <button type="button" className="pf-btn" onClick={() => onOpen("simulate")}>
              <Icon name="call-in" /> Simulate a call …<span className="only-heard"> to {shown}</span>
            </button>
          )}
          <button type="button" className="pf-btn" onClick={() => onOpen("give")}>
            {isFree ? "Assign" : "Change …"}
            <span className="only-heard"> {shown}</span>
          </button>
          {!isFree && (
            <button type="button" className="pf-btn" onClick={() => onOpen("take")}>
              Unassign<span className="only-heard"> {shown}</span>
            </button>
          )}
        </div>
      )}
    </li>
  );
}
