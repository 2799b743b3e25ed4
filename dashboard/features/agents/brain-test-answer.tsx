import type { BrainTestPart, BrainTestResult } from "@parley/shared/contracts/agents.ts";
import { Problem } from "../../ui/messages.tsx";
import { type BrainTestRun, brainAdvice } from "./brain-test-stream.ts";

interface BrainTestAnswerProps {
  readonly run: BrainTestRun;
  readonly isRunning: boolean;
}

/** The result of a brain's test: its words, its control events, and how long each took. */
export function BrainTestAnswer({ run: { parts, result, query, version }, isRunning }: BrainTestAnswerProps) {
  const text = parts.map((part) => (part.type === "token" ? part.text : "")).join("");
  const firstToken = parts.find(({ type }) => type === "token");
  const controls = parts.filter((part) => part.type === "control");
  return (
    <section className="agent-answer" aria-label="Answer" aria-busy={isRunning}>
      <p className="pf-muted">
        Version {version}, asked “{query}”
      </p>
      <p className="agent-answer-text">{text || (isRunning ? "…" : "It said nothing.")}</p>
      <dl className="hook-figures">
        <Figure name="First words after" value={firstToken && msText(firstToken.atMs)} />
        <Figure name="All of it after" value={result && msText(result.totalMs)} />
        <Figure name="Tokens" value={String(parts.length - controls.length)} />
        {result && result.tries > 1 && <Figure name="Tries" value={String(result.tries)} />}
      </dl>
      {controls.length > 0 && <ControlEvents controls={controls} />}
      {result?.truncated && <p>It was longer than is read here.</p>}
      {result?.error && <Failure error={result.error} />}
      {result && (
        <p className="only-heard" role="status">
          {result.ok ? `Done after ${msText(result.totalMs)}.` : "The brain failed."}
        </p>
      )}
    </section>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? "…"}</dd>
    </div>
  );
}

type ControlPart = Extract<BrainTestPart, { type: "control" }>;

function ControlEvents({ controls }: { readonly controls: readonly ControlPart[] }) {
  return (
    <>
      <h3>Control events</h3>
      <ol className="agent-controls">
        {controls.map(({ control: { event, ...rest }, atMs }, index) => (
          // Parts only ever append, so the index is a stable key.
          <li key={`${String(index)}-${event}`}>
            <code>{event}</code> after {msText(atMs)}
            {Object.keys(rest).length > 0 && <pre>{JSON.stringify(rest, null, 2)}</pre>}
          </li>
        ))}
      </ol>
    </>
  );
}

function Failure({ error }: { readonly error: NonNullable<BrainTestResult["error"]> }) {
  return (
    <Problem>
      {error.message} {brainAdvice(error.failure)}
    </Problem>
  );
}

function msText(ms: number): string {
  return `${ms.toLocaleString("en")} ms`;
}
