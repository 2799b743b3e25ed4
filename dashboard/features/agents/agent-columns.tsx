import type { Agent } from "@parley/shared/contracts/agents.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { Link } from "@tanstack/react-router";
import type { Column } from "../../ui/table/columns.ts";
import { Time } from "../../ui/time.tsx";
import { brainText } from "./brain-text.ts";

/** Columns of the agent list. `numbers` are the organization's; undefined until loaded. */
export function agentColumns(numbers: readonly PhoneNumber[] | undefined): readonly Column<Agent>[] {
  const numbersOf = ({ id }: Agent): string => {
    const own = numbers?.filter(({ agentId }) => agentId === id) ?? [];
    return own.length === 0 ? "none" : own.map(({ number }) => number).join(", ");
  };
  return [
    {
      id: "name",
      name: "Name",
      look: "long",
      text: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to="/agents/$id/{-$section}" params={{ id }}>
          {name}
        </Link>
      ),
    },
    { id: "brain", name: "Brain", text: brainText, cell: brainText },
    { id: "numbers", name: "Numbers", look: "long", text: numbersOf, cell: numbersOf },
    {
      id: "access",
      name: "API access",
      text: ({ apiAccess }) => (apiAccess ? "on" : "off"),
      cell: ({ apiAccess }) => (apiAccess ? "on" : "off"),
    },
    {
      id: "changed",
      name: "Last changed",
      text: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ];
}
