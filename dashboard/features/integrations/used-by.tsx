import type {
  ConnectionUse,
  IntegrationProvider,
  OrgConnection,
} from "@parley/shared/contracts/integrations.ts";
import { Link } from "@tanstack/react-router";

interface UsedByProps {
  readonly connection: OrgConnection;
  readonly provider: IntegrationProvider;
}

/** The agents that use a connection. */
export function UsedBy({ connection: { usedBy, capabilities }, provider }: UsedByProps) {
  const actions = capabilities.map(
    (id) => provider.capabilities.find(({ capability }) => capability === id)?.name ?? id,
  );
  return (
    <section className="pf-card panel" aria-labelledby="used-title">
      <h2 id="used-title">Used by</h2>
      {usedBy.length === 0 ? (
        <p>
          No agent uses this connection. <Link to="/agents">Open an agent</Link> and add a tool to its brain.
        </p>
      ) : (
        <ul className="capability-list">
          {usedBy.map((use) => (
            <li key={use.agentId}>
              <AgentLink agent={use} />
              <span className="pf-muted">
                {use.isPinned ? " chose this connection" : " uses the newest one that works"}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="pf-muted">Can do: {actions.join(", ")}</p>
    </section>
  );
}

/** Links to an agent's tools. */
export function AgentLink({ agent: { agentId, name } }: { readonly agent: Omit<ConnectionUse, "isPinned"> }) {
  return (
    <Link to="/agents/$id/{-$section}" params={{ id: agentId, section: "brain" }}>
      {name}
    </Link>
  );
}
