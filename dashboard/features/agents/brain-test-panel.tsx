import type { Agent } from "@parley/shared/contracts/agents.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { CheckField, Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { BrainTestAnswer } from "./brain-test-answer.tsx";
import { type BrainTestRun, brainTestParts } from "./brain-test-stream.ts";
import { SectionPart } from "./section-part.tsx";
import { agentPath, useEditor } from "./use-editor.tsx";
import { VariableFields, variablesIn } from "./variable-fields.tsx";

/** Whether a test could have side effects in the world. */
function hasEndpoints({ brain }: Agent): boolean {
  const { kind, tools } = brain;
  return (
    kind === "model" && Array.isArray(tools) && tools.some((tool) => isObject(tool) && tool.kind === "http")
  );
}

/** Sends the brain one query, as a caller would begin, and streams its answer. */
export function BrainTestPanel() {
  const editor = useEditor();
  const { agent } = editor;
  const session = useSession();
  const { org } = useHere();
  const [run, setRun] = useState<BrainTestRun>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const test = async (fields: FormData): Promise<void> => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const query = textOf(fields, "query");
    const runTools = fields.has("runTools");
    const body = { query, variables: variablesIn(fields, agent), runTools };
    setProblem(undefined);
    setRun(undefined);
    setRunning(true);
    try {
      const path = `${agentPath(agent.id)}/test-brain`;
      const headers = { accept: "text/event-stream" };
      const response = await session.open(path, { orgId: org.id, body, headers, signal: mine.signal });
      if (!response.body) return;
      let shown: BrainTestRun = { query, version: agent.version, parts: [] };
      for await (const part of brainTestParts(response.body)) {
        if (mine.signal.aborted) return;
        shown =
          part.type === "result" ? { ...shown, result: part } : { ...shown, parts: [...shown.parts, part] };
        setRun(shown);
      }
    } catch (error) {
      if (!mine.signal.aborted) setProblem(reasonOf(error));
    } finally {
      if (running.current === mine) setRunning(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void test(new FormData(event.currentTarget));
  };
  return (
    <SectionPart
      title="Test this brain"
      lead="Sends one turn to the brain, without a call. The model’s usage is charged as in a call."
    >
      <form className="stack" onSubmit={submit}>
        <Field
          label="The caller says"
          name="query"
          maxLength={4_000}
          defaultValue="Hello, who is this?"
          autoComplete="off"
          required
        />
        <VariableFields agent={agent} />
        {hasEndpoints(agent) && (
          <CheckField
            name="runTools"
            label="Run its tools for real"
            hint="Ticked, your endpoints are called, and book and charge as in a call. Otherwise the answer ends where the model wants one, and shows what it would be given."
          />
        )}
        {editor.isChanged && (
          <p className="pf-muted">
            This asks version {agent.version}, as it is saved: your changes are not in it yet.
          </p>
        )}
        <div className="row">
          <button type="submit" className="pf-btn pf-btn-primary" disabled={isRunning}>
            Ask
          </button>
          {isRunning && (
            <button
              type="button"
              className="pf-btn"
              onClick={() => {
                running.current?.abort();
                setRunning(false);
              }}
            >
              Stop
            </button>
          )}
        </div>
      </form>
      {problem && <Problem>{problem}</Problem>}
      {isRunning && !run && <p role="status">Waiting for the first words…</p>}
      {run && <BrainTestAnswer run={run} isRunning={isRunning} />}
    </SectionPart>
  );
}
