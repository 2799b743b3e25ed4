import { FilterBar, GivenFilter, SelectFilter, TextFilter } from "../../ui/table/filters.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { CHANNEL_NAMES, DIRECTION_NAMES, STATUS_NAMES, wordFilterText } from "./call-labels.ts";
import { WORD_FILTERS } from "./call-query.ts";

/** Filters for the list of calls, kept in the page's address so that it can be shared. */
export function CallFilters() {
  const agents = useAgentNames();
  const [params] = useSearchParams();
  return (
    <FilterBar>
      <TextFilter label="Transcript contains" name="text" minLength={2} maxLength={128} />
      <TextFilter label="Number" name="number" type="tel" maxLength={32} />
      <SelectFilter label="Status" name="status" options={STATUS_NAMES} />
      <SelectFilter label="Agent" name="agentId" options={[...agents]} />
      <SelectFilter label="Channel" name="channel" options={CHANNEL_NAMES} />
      <SelectFilter label="Direction" name="direction" options={DIRECTION_NAMES} />
      <TextFilter label="From" name="from" type="date" />
      <TextFilter label="To" name="to" type="date" />
      {WORD_FILTERS.map((name) => {
        const value = params.get(name);
        if (value === null) return null;
        return <GivenFilter key={name} label={wordFilterText(name, value)} name={name} />;
      })}
    </FilterBar>
  );
}
