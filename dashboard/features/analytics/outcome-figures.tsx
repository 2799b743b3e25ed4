import type { CallOutcomes } from "@parley/shared/contracts/analytics.ts";
import type { ReactNode } from "react";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { reasonText, SENTIMENT_NAMES } from "../calls/call-labels.ts";
import type { WordFilter } from "../calls/call-query.ts";
import { countText, shareText } from "../home/figures.ts";
import { CallLink } from "./call-link.tsx";
import type { Chosen } from "./period.ts";

const PLAIN_HANGUP = "hangup";

interface OutcomeFiguresProps {
  readonly outcomes: CallOutcomes;
  readonly chosen: Chosen;
}

/** How calls ended, went and were judged, each number linked to its calls; empty lists are left out. */
export function OutcomeFigures({ outcomes, chosen }: OutcomeFiguresProps) {
  const { endReasons, sentiments, dispositions, topics, tools, qa } = outcomes;
  const link = { chosen, from: new Date(outcomes.from), to: new Date(outcomes.to) };
  const calls = (text: string, only: Partial<Record<WordFilter, string>>): ReactNode => (
    <CallLink {...link} only={only}>
      {text}
    </CallLink>
  );
  const counted = (title: string, first: string, { rows, filter, nameOf = (value) => value }: Counted) => (
    <Panel title={title} columns={[first, "Calls"]} isEmpty={rows.length === 0}>
      {rows.map(({ value, times }) => (
        <Row key={value} name={nameOf(value)} cells={[calls(countText(times), { [filter]: value })]} />
      ))}
    </Panel>
  );
  return (
    <>
      {counted("How they ended", "Reason", {
        rows: endReasons,
        filter: "endReason",
        nameOf: (value) => reasonText(value === PLAIN_HANGUP ? null : value),
      })}
      {counted("How callers were", "Caller", {
        rows: sentiments,
        filter: "sentiment",
        nameOf: (value) => SENTIMENT_NAMES[value] ?? value,
      })}
      {counted("What came of them", "Outcome", { rows: dispositions, filter: "disposition" })}
      {counted("What they were about", "Topic", { rows: topics, filter: "topic" })}
      <Panel title="Tools" columns={["Tool", "Used", "Failed"]} isEmpty={tools.length === 0}>
        {tools.map(({ name, calls: used, failed }) => (
          <Row
            key={name}
            name={name}
            cells={[
              calls(countText(used), { tool: name }),
              calls(shareText(failed, used), { failedTool: name }),
            ]}
          />
        ))}
      </Panel>
      <Panel title="Quality" columns={["Criterion", "Met", "Missed"]} isEmpty={qa.length === 0}>
        {qa.map(({ key, met, missed }) => (
          <Row
            key={key}
            name={key}
            cells={[
              calls(shareText(met, met + missed), { metCriterion: key }),
              calls(countText(missed), { missedCriterion: key }),
            ]}
          />
        ))}
      </Panel>
    </>
  );
}

interface Counted {
  readonly rows: CallOutcomes["topics"];
  /** Filter that selects a row's calls. */
  readonly filter: WordFilter;
  readonly nameOf?: (value: string) => string;
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
      <table className="pf-table figure-table">
        <TableHead columns={[...columns]} />
        <tbody>{children}</tbody>
      </table>
    </TablePanel>
  );
}

function Row({
  name,
  cells: [first, second],
}: {
  readonly name: string;
  readonly cells: readonly ReactNode[];
}) {
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
