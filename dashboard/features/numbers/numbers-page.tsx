import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { can, useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { Success } from "../../ui/messages.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { numberColumns } from "./number-columns.tsx";
import { isSimulated } from "./simulated-phones.ts";
import { type Holders, holderText, isAnswered, useHolders } from "./use-holders.ts";
import { useNumbers } from "./use-numbers.ts";

type Open =
  | { readonly at: "none" }
  | { readonly at: "add" }
  | { readonly at: "carrier"; readonly carrier?: AccountCarrierName }
  | { readonly at: "give" | "take" | "simulate"; readonly number: PhoneNumber };

const AddNumberDialog = later(async () => (await import("./add-number-dialog.tsx")).AddNumberDialog);
const CarrierAccounts = later(async () => (await import("./carrier-accounts.tsx")).CarrierAccounts);
const CarrierDialog = later(async () => (await import("./carrier-dialog.tsx")).CarrierDialog);
const GiveNumberDialog = later(async () => (await import("./change-dialogs.tsx")).GiveNumberDialog);
const TakeAwayDialog = later(async () => (await import("./change-dialogs.tsx")).TakeAwayDialog);
const SimulateCallDialog = later(async () => (await import("./simulate-call-dialog.tsx")).SimulateCallDialog);

/** The organization's numbers, and whom each rings. */
export function NumbersPage() {
  const here = useHere();
  const loaded = useNumbers();
  const { data: numbers, reload } = loaded;
  const holders = useHolders();
  const columns = useMemo(() => numberColumns(holders), [holders]);
  const [open, setOpen] = useState<Open>({ at: "none" });
  const [news, setNews] = useState<string>();
  const mayChange = can(here, "manage_numbers");
  const show = (next: Open): void => {
    setNews(undefined);
    setOpen(next);
  };
  const close = (): void => setOpen({ at: "none" });
  const tell = async (number: PhoneNumber): Promise<void> => {
    setNews(`${phoneText(number.number)}: ${holderText(number, holders)}.`);
    await reload();
  };
  const about = { holders, onClose: close, onChanged: tell };
  return (
    <AppPage title="Numbers">
      <div className="row row-spread">
        <p className="pf-muted">Route each number to an agent or a teammate.</p>
        {mayChange ? (
          <div className="row">
            {can(here, "manage_workplace") && (
              <button type="button" className="pf-btn" onClick={() => show({ at: "carrier" })}>
                Connect carrier
              </button>
            )}
            <button type="button" className="pf-btn pf-btn-primary" onClick={() => show({ at: "add" })}>
              Add number
            </button>
          </div>
        ) : (
          <AskForNumbers role={here.org.role} />
        )}
      </div>
      {news && <Success>{news}</Success>}
      <DataTable
        name="numbers"
        label="List of numbers"
        columns={columns}
        rows={numbers}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={
          <>
            <p>No numbers yet. Add one so that people can call your agents and teammates.</p>
            {mayChange && (
              <button type="button" className="pf-btn" onClick={() => show({ at: "add" })}>
                Add simulated number
              </button>
            )}
          </>
        }
        {...(mayChange && {
          actions: (number: PhoneNumber) => (
            <NumberButtons number={number} holders={holders} onOpen={(at) => show({ at, number })} />
          ),
        })}
      />
      {numbers && can(here, "manage_workplace") && (
        <CarrierAccounts numbers={numbers} onReplace={(carrier) => show({ at: "carrier", carrier })} />
      )}
      {open.at === "add" && <AddNumberDialog holder={holders} onClose={close} onAdded={tell} />}
      {open.at === "carrier" && <CarrierDialog {...(open.carrier && { of: open.carrier })} onClose={close} />}
      {open.at === "give" && <GiveNumberDialog number={open.number} {...about} />}
      {open.at === "simulate" && numbers && (
        <SimulateCallDialog numbers={numbers} to={open.number.number} onClose={close} />
      )}
      {open.at === "take" && <TakeAwayDialog number={open.number} {...about} />}
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

interface NumberButtonsProps {
  readonly number: PhoneNumber;
  readonly holders: Holders;
  readonly onOpen: (at: "give" | "take" | "simulate") => void;
}

/** What can be done with a number. */
function NumberButtons({ number, holders, onOpen }: NumberButtonsProps) {
  const shown = phoneText(number.number);
  const isFree = number.agentId === null && number.userId === null;
  return (
    <div className="row cell-buttons">
      {isSimulated(number) && isAnswered(number, holders) && (
        <button type="button" className="pf-btn" onClick={() => onOpen("simulate")}>
          <Icon name="call-in" /> Simulate call<span className="only-heard"> to {shown}</span>
        </button>
      )}
      <button type="button" className="pf-btn" onClick={() => onOpen("give")}>
        {isFree ? "Assign" : "Change"}
        <span className="only-heard"> {shown}</span>
      </button>
      {!isFree && (
        <button type="button" className="pf-btn" onClick={() => onOpen("take")}>
          Unassign<span className="only-heard"> {shown}</span>
        </button>
      )}
    </div>
  );
}
