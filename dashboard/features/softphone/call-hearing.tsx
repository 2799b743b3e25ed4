import { useCallback } from "react";
import { LevelMeter, useHeard } from "./level-meter.tsx";
import { type Grade, gradeOf, missingPercent } from "./quality-labels.ts";
import { useSoftphone } from "./softphone-context.ts";
import { farWords, hearingWords } from "./softphone-labels.ts";

/** How well each side hears the other: meters, bars and words. */
export function CallHearing() {
  const { view, levels } = useSoftphone();
  const { quality, roundTripMs, isHeld } = view;
  const own = useCallback(() => levels.own, [levels]);
  const far = useCallback(() => levels.far, [levels]);
  const hearing = hearingWords(view, useHeard(own));
  const isFarHeard = useHeard(far);
  return (
    <dl className="phone-hearing">
      <div>
        <dt>You</dt>
        <dd>
          <LevelMeter level={own} look={view.isMuted || isHeld ? "calm" : undefined} />
          <span className={`tone-text tone-${hearing.tone}`} role="status">
            {hearing.text}
          </span>
          {quality && (
            <QualityBars
              grade={gradeOf(quality.own, roundTripMs)}
              figures={[
                ...(roundTripMs === undefined ? [] : [`${Math.round(roundTripMs)} ms there and back`]),
                ...arrivalTexts(quality.own),
              ]}
            />
          )}
        </dd>
      </div>
      <div>
        <dt>They</dt>
        <dd>
          <LevelMeter level={far} look={isHeld ? "calm" : undefined} />
          <span className="tone-text">{farWords(view, isFarHeard)}</span>
          {quality && <QualityBars grade={gradeOf(quality.far)} figures={arrivalTexts(quality.far)} />}
        </dd>
      </div>
    </dl>
  );
}

type Arrival = Parameters<typeof missingPercent>[0];

function arrivalTexts(arrival: Arrival): readonly string[] {
  const missing = Math.round(missingPercent(arrival));
  return [`${Math.round(arrival.jitterMs)} ms jitter`, ...(missing > 0 ? [`${missing} % missing`] : [])];
}

function QualityBars({ grade, figures }: { readonly grade: Grade; readonly figures: readonly string[] }) {
  return (
    <span className="quality">
      <svg aria-hidden="true" width="22" height="16" viewBox="0 0 22 16" className={`quality-${grade.bars}`}>
        {[1, 2, 3, 4].map((bar) => (
          <rect
            key={bar}
            className={bar <= grade.bars ? "quality-on" : "quality-off"}
            x={(bar - 1) * 6}
            y={16 - bar * 4}
            width="4"
            height={bar * 4}
            rx="1"
          />
        ))}
      </svg>
      <strong>{grade.word}</strong>
      <span className="quality-figures">{figures.join(", ")}</span>
    </span>
  );
}
