import type { CallAnalytics, CallFigures } from "@parley/shared/contracts/analytics.ts";
import type { ReactNode } from "react";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { CHANNEL_NAMES, nameIn } from "../calls/call-labels.ts";
import { countText, delayText, shareText } from "../home/figures.ts";
import { CallLink } from "./call-link.tsx";
import { type Chosen, dayLabel } from "./period.ts";

interface TableProps {
  readonly analytics: CallAnalytics;
  readonly chosen: Chosen;
}

const COLUMNS = ["Calls", "Answered", "Failed", "Response p50", "Response p95"] as const;

/** Each day with its calls; a single day is only drawn, hour by hour. */
export function DayFigures({ analytics: { points }, chosen }: TableProps) {
  const days = points.filter(({ calls }) => calls > 0).toReversed();
  if (chosen.days === 1 || days.length === 0) return null;
  return (
    <Panel id="days-title" title="Days" first="Day">
      {days.map((day) => {
        const at = new Date(day.at);
        return (
          <Row key={day.at} figures={day}>
            <CallLink chosen={chosen} from={at} to={at}>
              {dayLabel(at)}
            </CallLink>
          </Row>
        );
      })}
    </Panel>
  );
}

export function AgentFigures({ analytics: { from, to, agents }, chosen }: TableProps) {
  if (agents.length === 0) return null;
  return (
    <Panel id="agents-title" title="Agents" first="Agent">
      {agents.map((agent) => {
        const { agentId, name } = agent;
        return (
          <Row key={agentId} figures={agent}>
            {agentId === "" ? (
              "No agent"
            ) : (
              <CallLink {...{ chosen, ...daysOf(from, to) }} only={{ agentId }}>
                {name ?? "Deleted agent"}
              </CallLink>
            )}
          </Row>
        );
      })}
    </Panel>
  );
}

export function ChannelFigures({ analytics: { from, to, channels }, chosen }: TableProps) {
  if (channels.length === 0) return null;
  return (
    <Panel id="channels-title" title="Channels" first="Channel">
      {channels.map((figures) => {
        const { channel } = figures;
        return (
          <Row key={channel} figures={figures}>
            <CallLink {...{ chosen, ...daysOf(from, to) }} only={{ channel }}>
              {nameIn(CHANNEL_NAMES, channel)}
            </CallLink>
          </Row>
        );
      })}
    </Panel>
  );
}

interface PanelProps {
  readonly id: string;
  readonly title: string;
  readonly first: string;
  readonly children: ReactNode;
}

function Panel({ id, title, first, children }: PanelProps) {
  return (
    <TablePanel labelledBy={id}>
      <h2 id={id}>{title}</h2>
      <table className="pf-table figure-table">
        <TableHead columns={[first, ...COLUMNS]} />
        <tbody>{children}</tbody>
      </table>
    </TablePanel>
  );
}

function Row({ figures, children }: { readonly figures: CallFigures; readonly children: ReactNode }) {
  const shown = [
    countText(figures.calls),
    shareText(figures.answered, figures.calls),
    countText(figures.failed),
    delayText(figures.responseP50Ms),
    delayText(figures.responseP95Ms),
  ];
  return (
    <tr>
      <th scope="row" className="cell-name">
        {children}
      </th>
      {shown.map((text, at) => (
        <td key={COLUMNS[at]} data-label={COLUMNS[at]}>
          {text}
        </td>
      ))}
    </tr>
  );
}

function daysOf(from: string, to: string): { from: Date; to: Date } {
  return { from: new Date(from), to: new Date(to) };
}
