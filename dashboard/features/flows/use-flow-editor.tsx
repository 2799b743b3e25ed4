import { useEffect, useMemo, useRef, useState } from "react";
import { isSame, valueAt } from "../agents/json-at.ts";
import { type Editor, useEditor } from "../agents/use-editor.tsx";
import { type DraftFlow, FLOW_PATH, flowIn } from "./flow-draft.ts";
import { type FlowHistory, NO_HISTORY, recorded, redone, type Step, undone } from "./flow-history.ts";

/** The agent's editor, with undo for each change to its flow. */
export interface FlowEditor {
  /** For the fields beside the canvas. */
  readonly editor: Editor;
  readonly flow: DraftFlow | undefined;
  /** Replaces the flow. `what` names a change whose repeats within a second are one step; absent: always a new one. */
  readonly change: (flow: DraftFlow, what?: string) => void;
  /** Undefined when there is nothing to undo. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
}

export function useFlowEditor(): FlowEditor {
  const editor = useEditor();
  const { agent, draft } = editor;
  const [history, setHistory] = useState<FlowHistory>(NO_HISTORY);
  const current = valueAt(draft, FLOW_PATH);
  const flow = useMemo(() => flowIn({ brain: { flow: current } }), [current]);
  useForgotten(agent, current, () => setHistory(NO_HISTORY));
  const go = (step: Step | undefined): (() => void) | undefined =>
    step &&
    (() => {
      setHistory(step.history);
      editor.set(FLOW_PATH, step.flow);
    });
  const record = (what: string | undefined): void =>
    setHistory((past) => recorded(past, current, what, Date.now()));
  return {
    flow,
    change: (next, what) => {
      record(what);
      editor.set(FLOW_PATH, next);
    },
    undo: go(undone(history, current)),
    redo: go(redone(history, current)),
    editor: {
      ...editor,
      set: (path, value) => {
        if (path.startsWith(FLOW_PATH)) record(path);
        editor.set(path, value);
      },
    },
  };
}

/** Clears the history when other people's changes arrive: undoing past them would revert their work. */
function useForgotten(agent: Editor["agent"], flow: unknown, forget: () => void): void {
  const before = useRef({ agent, flow });
  useEffect(() => {
    const { agent: was, flow: old } = before.current;
    before.current = { agent, flow };
    if (was !== agent && !isSame(old, flow)) forget();
  });
}
