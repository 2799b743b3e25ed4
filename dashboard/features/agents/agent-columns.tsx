import type { Agent } from "@parley/shared/contracts/agents.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { phoneText } from "../../ui/phone-text.ts";
import type { Column } from "../../ui/table/columns.ts";
import { Time } from "../../ui/time.tsx";
import { brainText } from "./brain-text.ts";

/** Columns of the agent list. `numbers` are the organization's; undefined until loaded. */
export function agentColumns(numbers: readonly PhoneNumber[] | undefined): readonly Column<Agent>[] {
  const ownOf = ({ id }: Agent): readonly string[] =>
    numbers?.filter(({ agentId }) => agentId === id).map(({ number }) => phoneText(number)) ?? [];
  const numbersOf = (agent: Agent): string => ownOf(agent).join(", ") || "none";
  return [
    {
      id: "name",
      name: "Name",
      look: "long",
      text: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to="/agents/$id/{-$section}" params={{ id }} className="agent-name">
          {name}
        </Link>
      ),
    },
    { id: "brain", name: "Brain", text: brainText, cell: brainText },
    {
      id: "numbers",
      name: "Numbers",
      look: "long",
      text: numbersOf,
      cell: (agent) => <Numbers of={ownOf(agent)} />,
    },
    {
      id: "access",
      name: "API access",
      text: ({ apiAccess }) => (apiAccess ? "On" : "Off"),
      cell: ({ apiAccess }) => (apiAccess ? "On" : "Off"),
    },
    {
      id: "changed",
      name: "Last changed",
      text: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ];
}

/** Numbers of an agent, none of them broken in two. */
function Numbers({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return "none";
  return of.map((number, index) => (
    <Fragment key={number}>
      {index > 0 && ", "}
      <span className="one-line">{number}</span>
    </Fragment>
  ));
}
