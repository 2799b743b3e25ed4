import { Field } from "../../ui/field.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { textOf } from "../../ui/use-submit.ts";
import { AgentField } from "./agent-field.tsx";

/** Whose memory is listed. What is chosen stands in the page's address. */
export function MemoryFilters({ agents }: { readonly agents: ReadonlyMap<string, string> }) {
  const [params, setParams] = useSearchParams();
  return (
    <form
      key={`${params} ${agents.size}`}
      className="pf-card panel call-filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        const chosen = ["identifier", "agent"].map((name): [string, string] => [name, textOf(fields, name)]);
        setParams(new URLSearchParams(chosen.filter(([, value]) => value !== "")));
      }}
    >
      <Field
        label="Person"
        name="identifier"
        type="search"
        maxLength={128}
        defaultValue={params.get("identifier") ?? ""}
      />
      <AgentField label="Agent" name="agent" agents={agents} defaultValue={params.get("agent") ?? ""}>
        <option value="">Any agent</option>
      </AgentField>
      <div className="row call-filters-do">
        <button type="submit" className="pf-btn pf-btn-primary">
          Filter
        </button>
        {params.size > 0 && (
          <button type="button" className="pf-btn" onClick={() => setParams(new URLSearchParams())}>
            Show all
          </button>
        )}
      </div>
    </form>
  );
}
