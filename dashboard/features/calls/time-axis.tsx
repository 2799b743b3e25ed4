import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { ZoomIn, ZoomOut } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { AxisLanes, laneNames } from "./axis-lanes.tsx";
import type { CallAxis } from "./call-axis.ts";
import { speakerNames } from "./call-labels.ts";
import { indexAt } from "./timed-lines.ts";
import { useScrub } from "./use-scrub.ts";

/** Beyond it, a second of a long call is wide enough to tell what happened in it. */
const MOST_ZOOM = 64;
/** Browsers draw no wider canvas. */
const WIDEST_PX = 24_000;

interface TimeAxisProps {
  readonly call: CallDetail;
  readonly axis: CallAxis;
  /** The recording's waveform; absent without one. */
  readonly waves?: { readonly lanes: number; readonly drawn: ReactNode } | undefined;
  /** Absent while a call is live: its end is the position. */
  readonly cursor?: { readonly atSecs: number; readonly seek: (secs: number) => void };
}

/** A call's lanes on one axis of time, with the position in it as a line through all of them. */
export function TimeAxis({ call, axis, waves, cursor }: TimeAxisProps) {
  const [zoom, setZoom] = useState(1);
  const box = useKeyboardScroll<HTMLElement>();
  const lanes = useRef<HTMLDivElement>(null);
  useScrub(lanes, axis.lengthSecs, cursor?.seek);
  const share = cursor && Math.min(1, cursor.atSecs / axis.lengthSecs);
  useEffect(() => {
    const element = box.current;
    if (!element || share === undefined) return;
    const at = share * element.clientWidth * zoom - element.scrollLeft;
    if (at < 0 || at > element.clientWidth) element.scrollLeft += at - element.clientWidth / 4;
  }, [box, share, zoom]);
  const widest = Math.min(MOST_ZOOM, WIDEST_PX / (box.current?.clientWidth ?? WIDEST_PX));
  const turnAt = cursor && indexAt(axis.turns, cursor.atSecs);
  const { user, assistant } = speakerNames(call);
  const waveNames = waves && (waves.lanes === 2 ? [user, assistant] : ["Sound"]).slice(0, waves.lanes);
  return (
    <div className="axis">
      <div className="axis-names" aria-hidden="true">
        {waveNames?.map((name) => (
          <span key={name} className="axis-wave">
            {name}
          </span>
        ))}
        {laneNames({ call, axis, hasWaves: waves !== undefined }).map(([name, look]) => (
          <span key={name} className={look}>
            {name}
          </span>
        ))}
      </div>
      <section ref={box} className="axis-scroll" aria-label="Lanes">
        <div ref={lanes} className="axis-lanes" style={{ width: `${zoom * 100}%` }} aria-hidden="true">
          {waves?.drawn}
          <AxisLanes
            call={call}
            axis={axis}
            hasWaves={waves !== undefined}
            zoom={zoom}
            current={turnAt === undefined ? undefined : axis.turns[turnAt]?.key}
          />
          {share !== undefined && <div className="axis-cursor" style={{ left: `${share * 100}%` }} />}
        </div>
      </section>
      <div className="axis-zoom">
        <button
          type="button"
          className="pf-btn pf-btn-quiet"
          aria-label="Zoom out"
          disabled={zoom <= 1}
          onClick={() => setZoom(zoom / 2)}
        >
          <ZoomOut aria-hidden="true" />
        </button>
        <button
          type="button"
          className="pf-btn pf-btn-quiet"
          aria-label="Zoom in"
          disabled={zoom * 2 > widest}
          onClick={() => setZoom(zoom * 2)}
        >
          <ZoomIn aria-hidden="true" />
        </button>
      </div>
    </div>
  );
}
