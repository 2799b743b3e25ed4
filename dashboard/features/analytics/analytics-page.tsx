import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { CHANNEL_NAMES } from "../calls/call-labels.ts";
import { AnalyticsChart } from "./analytics-chart.tsx";
import { ChoiceFilter } from "./choice-filter.tsx";
import { AgentFigures, ChannelFigures, DayFigures } from "./figure-tables.tsx";
import { OutcomeFigures } from "./outcome-figures.tsx";
import { chosenIn, csvOf, PERIODS } from "./period.ts";
import { PeriodTiles } from "./period-tiles.tsx";
import { type Analytics, useAnalytics } from "./use-analytics.ts";

/** A period's calls in figures, each linked to the calls it counts. */
export function AnalyticsPage() {
  const [params, setParams] = useSearchParams();
  const chosen = chosenIn(params);
  const agents = useAgentNames();
  const loaded = useAnalytics(chosen);
  const choose = (name: string, value: string): void =>
    setParams((now) => {
      const after = new URLSearchParams(now);
      if (value === "") after.delete(name);
      else after.set(name, value);
      return after;
    });
  return (
    <AppPage title="Analytics">
      <section className="row period-filters" aria-label="Filters">
        <select
          className="pf-select"
          aria-label="Period"
          value={chosen.days}
          onChange={(event) => choose("days", event.target.value)}
        >
          {PERIODS.map(([days, name]) => (
            <option key={days} value={days}>
              {name}
            </option>
          ))}
        </select>
        <ChoiceFilter
          label="Agent"
          value={chosen.agentId}
          options={[...agents]}
          onChoose={(value) => choose("agentId", value)}
        />
        <ChoiceFilter
          label="Channel"
          value={chosen.channel}
          options={CHANNEL_NAMES}
          onChoose={(value) => choose("channel", value)}
        />
        {loaded.data && <Download {...loaded.data} />}
      </section>
      <Loaded of={loaded}>
        {({ analytics, outcomes }) => (
          <>
            <PeriodTiles {...{ analytics, outcomes, chosen }} />
            <AnalyticsChart {...{ analytics, chosen }} />
            <DayFigures {...{ analytics, chosen }} />
            <AgentFigures {...{ analytics, chosen }} />
            <ChannelFigures {...{ analytics, chosen }} />
            <OutcomeFigures {...{ outcomes, chosen }} />
          </>
        )}
      </Loaded>
    </AppPage>
  );
}

function Download({ analytics, outcomes }: Analytics) {
  const file = `data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(analytics, outcomes))}`;
  return (
    <a className="pf-btn" href={file} download={`calls-${analytics.from.slice(0, 10)}.csv`}>
      Export CSV
    </a>
  );
}
