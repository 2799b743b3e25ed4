import type { CallOutcomes } from "@parley/shared/contracts/analytics.ts";
import type { ReactNode } from "react";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { reasonText } from "../calls/call-labels.ts";
import { countText, shareText } from "../home/figures.ts";

const PLAIN_HANGUP = "hangup";
const SENTIMENTS: Readonly<Record<string, string>> = {
  positive: "Happy",
  neutral: "Neutral",
  negative: "Unhappy",
};

/** How calls ended, went and were judged; a list with nothing in it is left out. */
export function OutcomeFigures({ outcomes }: { readonly outcomes: CallOutcomes }) {
  const { endReasons, sentiments, dispositions, topics, tools, qa } = outcomes;
  return (
    <>
      <Counted
        title="How they ended"
        first="Reason"
        rows={endReasons.map(({ value, times }) => ({
          name: reasonText(value === PLAIN_HANGUP ? null : value),
          times,
        }))}
      />
      <Counted
        title="How callers were"
        first="Caller"
        rows={sentiments.map(({ value, times }) => ({ name: SENTIMENTS[value] ?? value, times }))}
      />
      <Counted title="What came of them" first="Outcome" rows={dispositions.map(named)} />
      <Counted title="What they were about" first="Topic" rows={topics.map(named)} />
      <Panel title="Tools" columns={["Tool", "Used", "Failed"]} isEmpty={tools.length === 0}>
        {tools.map(({ name, calls, failed }) => (
          <Row key={name} name={name} cells={[countText(calls), shareText(failed, calls)]} />
        ))}
      </Panel>
      <Panel title="Quality" columns={["Criterion", "Met", "Missed"]} isEmpty={qa.length === 0}>
        {qa.map(({ key, met, missed }) => (
          <Row key={key} name={key} cells={[shareText(met, met + missed), countText(missed)]} />
        ))}
      </Panel>
    </>
  );
}

interface Named {
  readonly name: string;
  readonly times: number;
}

function named({ value, times }: CallOutcomes["topics"][number]): Named {
  return { name: value, times };
}

interface CountedProps {
  readonly title: string;
  readonly first: string;
  readonly rows: readonly Named[];
}

function Counted({ title, first, rows }: CountedProps) {
  return (
    <Panel title={title} columns={[first, "Calls"]} isEmpty={rows.length === 0}>
      {rows.map(({ name, times }) => (
        <Row key={name} name={name} cells={[countText(times)]} />
      ))}
    </Panel>
  );
}

interface PanelProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}

function Panel({ title, columns, isEmpty, children }: PanelProps) {
  if (isEmpty) return null;
  const id = `outcomes-${title.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <TablePanel labelledBy={id}>
      <h2 id={id}>{title}</h2>
      <table className="pf-table">
        <TableHead columns={[...columns]} />
        <tbody>{children}</tbody>
      </table>
    </TablePanel>
  );
}

function Row({ name, cells: [first, second] }: { readonly name: string; readonly cells: readonly string[] }) {
  return (
    <tr>
      <th scope="row" className="cell-name">
        {name}
      </th>
      <td>{first}</td>
      {second !== undefined && <td>{second}</td>}
    </tr>
  );
}
