import type { ClipboardEvent, KeyboardEvent } from "react";
import type { Chosen, Zoom } from "./flow-canvas.tsx";
import type { DraftFlow } from "./flow-draft.ts";
import { clipIn, clipOf, withClip, withoutParts } from "./flow-edits.ts";
import type { FlowEditor } from "./use-flow-editor.tsx";

interface FlowTools {
  readonly flow: DraftFlow;
  readonly flowEditor: FlowEditor;
  readonly chosen: Chosen;
  readonly show: (...nodes: readonly string[]) => void;
  readonly zoom: (how: Zoom) => void;
}

/** Keys that zoom while the focus is on the canvas. */
const ZOOM_KEYS: Readonly<Record<string, Zoom>> = { "+": "in", "=": "in", "-": "out", "0": "fit" };

/** While typing, these keys belong to the field. */
const TYPED_IN = "input, textarea, select, [contenteditable]";

function isTyping({ target }: { readonly target: EventTarget }): boolean {
  return target instanceof Element && target.closest(TYPED_IN) !== null;
}

function canvasOf({ target }: { readonly target: EventTarget }): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".flow-drawn") : null;
}

/** Undo, copy, paste and zoom by the usual keys; a copy can be pasted into other agents' flows too. */
export function useFlowKeys({ flow, flowEditor, chosen, show, zoom }: FlowTools) {
  const { editor, change, undo, redo } = flowEditor;
  const remove = (event: KeyboardEvent): void => {
    const canvas = canvasOf(event);
    if (!canvas || chosen.nodes.length + chosen.edges.length === 0) return;
    change(withoutParts(flow, new Set(chosen.nodes), new Set(chosen.edges)));
    show();
    // The focused element is gone; focusing the canvas keeps the keys working.
    canvas.focus();
  };
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      if (isTyping(event)) return;
      if ((event.key === "Delete" || event.key === "Backspace") && editor.mayChange) remove(event);
      if (!(event.ctrlKey || event.metaKey)) {
        const how = ZOOM_KEYS[event.key];
        if (how && canvasOf(event)) zoom(how);
        return;
      }
      const key = event.key.toLowerCase();
      const step = key === "y" || (key === "z" && event.shiftKey) ? redo : undo;
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      step?.();
    },
    onCopy: (event: ClipboardEvent): void => {
      if (isTyping(event) || chosen.nodes.length === 0) return;
      event.preventDefault();
      event.clipboardData.setData("text/plain", JSON.stringify(clipOf(flow, new Set(chosen.nodes))));
    },
    onPaste: (event: ClipboardEvent): void => {
      if (isTyping(event) || !editor.mayChange) return;
      const clip = clipIn(event.clipboardData.getData("text/plain"));
      if (!clip) return;
      event.preventDefault();
      const pasted = withClip(flow, clip);
      change(pasted.flow);
      show(...pasted.added);
    },
  };
}
