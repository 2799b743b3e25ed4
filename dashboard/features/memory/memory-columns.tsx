import type { Memory } from "@parley/shared/contracts/memory.ts";
import { Link } from "@tanstack/react-router";
import { Phone } from "../../ui/phone.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { ExactTime } from "../../ui/time.tsx";

/** Columns of what is remembered; `agents` gives the names of agents by id. */
export function memoryColumns(agents: ReadonlyMap<string, string>): readonly Column<Memory>[] {
  const agentName = ({ agentId }: Memory): string => agents.get(agentId) ?? agentId;
  return [
    {
      id: "person",
      name: "Person",
      look: "long",
      text: ({ identifier }) => identifier,
      cell: ({ identifier }) => (
        <Link to="/memory" search={{ identifier }}>
          <Phone number={identifier} />
        </Link>
      ),
    },
    { id: "what", name: "What", look: "long", text: ({ text }) => text, cell: ({ text }) => text },
    { id: "agent", name: "Agent", look: "long", text: agentName, cell: agentName },
    {
      id: "origin",
      name: "From",
      text: ({ updatedAt }) => updatedAt,
      cell: (memory) => <Origin memory={memory} />,
    },
    {
      id: "until",
      name: "Until",
      text: ({ expiresAt }) => expiresAt,
      cell: ({ expiresAt }) => <ExactTime at={expiresAt} />,
    },
  ];
}

function Origin({ memory: { sessionId, updatedAt, correctedAt } }: { readonly memory: Memory }) {
  const at = <ExactTime at={updatedAt} />;
  if (correctedAt !== null) return <>Corrected {at}</>;
  if (sessionId === null) return <>Note of {at}</>;
  return (
    <Link to="/calls/$id" params={{ id: sessionId }}>
      {at}
    </Link>
  );
}
