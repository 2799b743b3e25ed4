import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { memo } from "react";
import { type AxisSpan, axisTicks, type CallAxis } from "./call-axis.ts";
import { clockText, lineText, speakerNames } from "./call-labels.ts";

/** A turn's number needs this share of the axis, or it would be cut. */
const NAMED_SHARE = 0.03;
const TICKS = 6;
/** Half of an event's mark: those of the beginning and the end are whole, too. */
const MARK_HALF_PX = 7;

interface LanesProps {
  readonly call: Pick<CallDetail, "channel" | "direction">;
  readonly axis: CallAxis;
  /** The recording shows who spoke when; without one, the lines do. */
  readonly hasWaves: boolean;
  readonly zoom: number;
  /** Key of the turn at the cursor. */
  readonly current: string | undefined;
}

/** The names of the lanes, in their order, beside what scrolls. */
export function laneNames({ call, axis, hasWaves }: Pick<LanesProps, "call" | "axis" | "hasWaves">) {
  const speakers = speakerNames(call);
  const isSaid = !hasWaves && axis.turns.length > 0;
  return [
    isSaid && ([speakers.user, "axis-said"] as const),
    isSaid && ([speakers.assistant, "axis-said"] as const),
    axis.turns.length > 0 && (["Turns", "axis-turns"] as const),
    axis.responses.length > 0 && (["Response", "axis-responses"] as const),
    axis.tools.length > 0 && (["Tools", "axis-tools"] as const),
    (axis.events.length > 0 && ["Events", "axis-events"]) as readonly [string, string] | false,
  ].filter((lane) => lane !== false);
}

/** Everything of a call that has a time, lane by lane on one axis. The lists beside it say the same in words. */
export const AxisLanes = memo(function AxisLanes({ call, axis, hasWaves, zoom, current }: LanesProps) {
  const { lengthSecs, turns, responses, tools, events } = axis;
  const left = (secs: number): string => `${(secs / lengthSecs) * 100}%`;
  const place = ({ fromSecs, toSecs }: Pick<AxisSpan, "fromSecs" | "toSecs">) => ({
    left: left(fromSecs),
    width: left(Math.max(0, toSecs - fromSecs)),
  });
  const names = laneNames({ call, axis, hasWaves }).map(([name]) => name);
  const speakers = speakerNames(call);
  return (
    <>
      {names.includes(speakers.user) &&
        (["user", "assistant"] as const).map((role) => (
          <div key={role} className={`axis-lane axis-said axis-${role}`}>
            {turns
              .flatMap(({ lines }) => lines)
              .filter((line) => line.role === role)
              .map((line) => (
                <i
                  key={line.key}
                  data-at={line.fromSecs}
                  style={place(line)}
                  data-tip={`${speakers[role]}: ${lineText(line)}`}
                />
              ))}
          </div>
        ))}
      {turns.length > 0 && (
        <div className="axis-lane axis-turns">
          {turns.map((turn) => (
            <i
              key={turn.key}
              className={turn.key === current ? "axis-current" : undefined}
              data-at={turn.fromSecs}
              style={place(turn)}
              data-tip={turn.text}
            >
              {((turn.toSecs - turn.fromSecs) / lengthSecs) * zoom > NAMED_SHARE && turn.turn}
            </i>
          ))}
        </div>
      )}
      {responses.length > 0 && (
        <div className="axis-lane axis-responses">
          {responses.map((response) => (
            <i
              key={response.key}
              data-at={response.fromSecs}
              style={place(response)}
              data-tip={response.text}
            >
              {response.parts.map(({ key, share }) => (
                <b key={key} className={`latency-${key}`} style={{ width: `${share * 100}%` }} />
              ))}
            </i>
          ))}
        </div>
      )}
      {tools.length > 0 && (
        <div className="axis-lane axis-tools">
          {tools.map((tool) => (
            <i key={tool.key} data-at={tool.fromSecs} style={place(tool)} data-tip={tool.text} />
          ))}
        </div>
      )}
      {events.length > 0 && (
        <div className="axis-lane axis-events">
          {events.map((event) => (
            <i
              key={event.key}
              className={event.isInterruption ? "axis-interruption" : undefined}
              data-at={event.atSecs}
              style={{ left: `clamp(${MARK_HALF_PX}px, ${left(event.atSecs)}, 100% - ${MARK_HALF_PX}px)` }}
              data-tip={`${clockText(event.atSecs)} ${event.text}`}
            />
          ))}
        </div>
      )}
      <div className="axis-lane axis-ticks">
        {axisTicks(lengthSecs, TICKS * zoom).map((secs) => (
          <span key={secs} style={{ left: left(secs) }}>
            {clockText(secs)}
          </span>
        ))}
      </div>
    </>
  );
});
