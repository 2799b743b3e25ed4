import type { Agent } from "@parley/shared/contracts/agents.ts";
import { useId } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { CHANNEL_NAMES, DIRECTION_NAMES, STATUS_NAMES } from "./call-labels.ts";
import { FILTERS, type FilterName } from "./call-query.ts";

const AGENTS_PATH = "/api/agents?limit=100";

/** Which calls are listed. What is chosen stands in the page's address, to be passed on. */
export function CallFilters() {
  const session = useSession();
  const { org } = useHere();
  const [params, setParams] = useSearchParams();
  const agents = useData(
    `${AGENTS_PATH}#${org.id}`,
    () => session.call<{ agents: Agent[] }>(AGENTS_PATH, { method: "GET", orgId: org.id }),
    { isList: true },
  );
  const value = (name: FilterName): string => params.get(name) ?? "";
  const apply = (fields: FormData): void => {
    const chosen = FILTERS.map((name) => [name, String(fields.get(name) ?? "").trim()] as const);
    setParams(new URLSearchParams(chosen.filter(([, text]) => text !== "").map(([...pair]) => pair)));
  };
  return (
    // Another address fills the fields again.
    <form
      key={String(params)}
      className="pf-card panel call-filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        apply(new FormData(event.currentTarget));
      }}
    >
      <Choice label="Status" name="status" options={STATUS_NAMES} chosen={value("status")} />
      <Choice
        // Its choice can be shown once there are agents to choose; what was typed elsewhere meanwhile stays.
        key={String(agents.data !== undefined)}
        label="Agent"
        name="agentId"
        options={(agents.data?.agents ?? []).map(({ id, name }) => [id, name])}
        chosen={value("agentId")}
      />
      <Choice label="Channel" name="channel" options={CHANNEL_NAMES} chosen={value("channel")} />
      <Choice label="Direction" name="direction" options={DIRECTION_NAMES} chosen={value("direction")} />
      <Field label="From day" name="from" type="date" defaultValue={value("from")} />
      <Field label="To day" name="to" type="date" defaultValue={value("to")} />
      <Field label="Number" name="number" type="tel" maxLength={32} defaultValue={value("number")} />
      <Field
        label="Words said"
        name="text"
        type="search"
        minLength={2}
        maxLength={128}
        defaultValue={value("text")}
      />
      <div className="row call-filters-do">
        <button type="submit" className="pf-btn pf-btn-primary">
          Filter
        </button>
        {params.size > 0 && (
          <button
            type="button"
            className="pf-btn pf-btn-quiet"
            onClick={() => setParams(new URLSearchParams())}
          >
            Show all
          </button>
        )}
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: FilterName;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly chosen: string;
}

function Choice({ label, name, options, chosen }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="pf-select" name={name} defaultValue={chosen}>
        <option value="">Any</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
