import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import type { CallAnalysis as Analysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { Icon } from "../../ui/icon.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { CallQuote, type QuotedIn } from "./call-quote.tsx";
import { CollectedPii } from "./collected-pii.tsx";
import { timedLines } from "./timed-lines.ts";

const MOODS = {
  positive: ["good", "Positive"],
  neutral: ["calm", "Neutral"],
  negative: ["bad", "Negative"],
} as const;

interface CallAnalysisProps {
  readonly call: CallDetail;
  /** Plays the recording from a moment; absent without a recording. */
  readonly onSeek: ((secs: number) => void) | undefined;
}

/** The finished call's analysis; renders nothing where none was due. */
export function CallAnalysis({ call, onSeek }: CallAnalysisProps) {
  const quoted: QuotedIn = { lines: timedLines(call), onSeek };
  const { analysis, analysisError, analyzedAt, piiCollected } = call;
  if (!analysis && !analysisError && piiCollected.length === 0) return null;
  return (
    <section className="pf-card panel" aria-labelledby="analysis-title">
      <h2 id="analysis-title">Analysis</h2>
      {analysisError && <p>This call could not be analyzed: {analysisError}</p>}
      {analysis && (
        <>
          <Verdict {...{ analysis, quoted }} />
          {analysis.summary && <p>{analysis.summary}</p>}
          <Texts title="To do" texts={analysis.actionItems} />
          <Found {...{ analysis, quoted }} />
          <Criteria {...{ analysis, quoted }} />
          <Texts title="Objections" texts={analysis.objections} />
          <Texts title="Friction for the caller" texts={analysis.cx.friction} />
          <Texts title="What went well" texts={analysis.cx.highlights} />
          <Texts title="What to improve" texts={analysis.coaching} />
          <Texts title="Unsupported statements" texts={analysis.hallucinations} />
          <p className="pf-muted">
            By <code>{analysis.model}</code>
            {analyzedAt && (
              <>
                , <ExactTime at={analyzedAt} />
              </>
            )}
          </p>
        </>
      )}
      <CollectedPii collected={piiCollected} />
    </section>
  );
}

interface JudgedProps {
  readonly analysis: Analysis;
  readonly quoted: QuotedIn;
}

function Verdict({ analysis, quoted }: JudgedProps) {
  const { sentiment, disposition, score, topics, keywords, talkRatio } = analysis;
  const [tone, mood] = sentiment ? MOODS[sentiment] : [];
  const said = analysis.evidence.sentiment;
  const facts = [
    ["Outcome", disposition],
    ["Score", score === null ? null : `${score} of 100`],
    ["About", topics.join(", ") || null],
    ["Keywords", keywords.join(", ") || null],
    [
      "Words",
      `${talkRatio.agentWords} of the agent, ${talkRatio.customerWords} of the caller, in ${talkRatio.agentTurns} and ${talkRatio.customerTurns} turns`,
    ],
  ] as const;
  return (
    <dl className="hook-facts">
      {mood && (
        <div>
          <dt>Caller sentiment</dt>
          <dd>
            <span className={`pf-badge tone-badge tone-${tone}`}>{mood}</span>
            {typeof said === "string" && <CallQuote text={said} quoted={quoted} />}
          </dd>
        </div>
      )}
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** The custom fields, with their evidence. */
function Found({ analysis: { customData, evidence }, quoted }: JudgedProps) {
  const found = Object.entries(customData);
  if (found.length === 0) return null;
  return (
    <>
      <h3>Fields</h3>
      <dl className="hook-facts">
        {found.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              {value === null ? <span className="pf-muted">Not found</span> : textOf(value)}
              {typeof evidence[key] === "string" && <CallQuote text={evidence[key]} quoted={quoted} />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Criteria({ analysis: { qa }, quoted }: JudgedProps) {
  if (qa.length === 0) return null;
  return (
    <>
      <h3>Quality</h3>
      <ul className="call-criteria">
        {qa.map(({ key, met, evidence }) => (
          <li key={key}>
            <span className={`pf-badge tone-badge tone-${met ? "good" : "bad"}`}>
              <Icon name={met ? "check" : "close"} />
              {met ? "Met" : "Not met"}
            </span>{" "}
            {key}
            {evidence && <CallQuote text={evidence} quoted={quoted} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A model's list items of any shape; renders nothing for an empty list. */
function Texts({ title, texts }: { readonly title: string; readonly texts: readonly unknown[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {texts.map((text, index) => (
          <li key={`${title}-${String(index)}`}>{textOf(text)}</li>
        ))}
      </ul>
    </>
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return JSON.stringify(value) ?? "";
}
