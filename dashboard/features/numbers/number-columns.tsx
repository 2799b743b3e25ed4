import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { later } from "../../ui/later.ts";
import { phoneText } from "../../ui/phone-text.ts";
import type { Column } from "../../ui/table/columns.ts";
import { type Holders, holderText, nameOf } from "./use-holders.ts";

const CarrierName = later(async () => (await import("./carrier-name.tsx")).CarrierName);

/** Columns of the organization's numbers. */
export function numberColumns(holders: Holders): readonly Column<PhoneNumber>[] {
  return [
    {
      id: "number",
      name: "Number",
      sorts: true,
      text: ({ number }) => number,
      cell: ({ number }) => <strong className="one-line">{phoneText(number)}</strong>,
    },
    {
      id: "label",
      name: "Label",
      sorts: true,
      look: "long",
      text: ({ label }) => label,
      cell: ({ label }) => label,
    },
    {
      id: "rings",
      name: "Incoming calls",
      sorts: true,
      look: "long",
      text: (number) => holderText(number, holders),
      cell: (number) => <Rings number={number} holders={holders} />,
    },
    {
      id: "carrier",
      name: "Carrier",
      sorts: true,
      text: ({ carrier }) => carrier,
      cell: ({ carrier }) => <CarrierName of={carrier} />,
    },
  ];
}

/** What becomes of calls to a number, and who calls from it. */
function Rings({ number, holders }: { readonly number: PhoneNumber; readonly holders: Holders }) {
  const { agentId, userId } = number;
  const isFree = agentId === null && userId === null;
  return (
    <>
      <span className={isFree ? "pf-muted" : ""}>{holderText(number, holders)}</span>
      {agentId !== null && userId !== null && (
        <span className="pf-muted number-caller">Calls made by {nameOf(userId, holders)} come from it</span>
      )}
    </>
  );
}
