import type { FlowNodeType } from "@parley/shared/contracts/flows/nodes.ts";
import { useState } from "react";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import type { Chosen } from "./flow-canvas.tsx";
import { type DraftFlow, titleOf } from "./flow-draft.ts";
import { clipOf, tidied, withClip, withNode, withoutParts } from "./flow-edits.ts";
import { type Place, placesOf, ROW } from "./flow-layout.ts";
import { NODE_KINDS, NODE_TYPES } from "./node-kinds.ts";
import type { FlowEditor } from "./use-flow-editor.tsx";

interface FlowToolbarProps {
  readonly flow: DraftFlow;
  readonly flowEditor: FlowEditor;
  readonly chosen: Chosen;
  readonly show: (...nodes: readonly string[]) => void;
  /** Returns the center of the visible part of the flow. */
  readonly middle: () => Place;
}

/** Actions on the flow, for mouse, touch and keyboard alike. */
export function FlowToolbar(props: FlowToolbarProps) {
  const { flow, flowEditor, chosen, show } = props;
  const { editor, change, undo, redo } = flowEditor;
  const chosenIds = new Set(chosen.nodes);
  const isAnyChosen = chosen.nodes.length + chosen.edges.length > 0;
  const duplicate = (): void => {
    const copied = withClip(flow, clipOf(flow, chosenIds));
    change(copied.flow);
    show(...copied.added);
  };
  const remove = (): void => {
    change(withoutParts(flow, chosenIds, new Set(chosen.edges)));
    show();
  };
  return (
    <div className="flow-tools">
      {editor.mayChange && (
        <>
          <AddNode {...props} />
          <fieldset className="flow-tool-group">
            <legend className="only-heard">Changes</legend>
            <Tool does="Undo" on={undo} />
            <Tool does="Redo" on={redo} />
            <Tool does="Duplicate" on={chosen.nodes.length > 0 ? duplicate : undefined} />
            <Tool does="Delete" on={isAnyChosen ? remove : undefined} />
            <Tool does="Tidy up" on={() => change(tidied(flow))} />
          </fieldset>
        </>
      )}
      <FindNode flow={flow} show={show} />
    </div>
  );
}

function Tool({ does, on }: { readonly does: string; readonly on: (() => void) | undefined }) {
  return (
    <button
      type="button"
      className="pf-btn"
      // A disabled button would lose the focus.
      aria-disabled={on === undefined}
      onClick={on}
    >
      {does}
    </button>
  );
}

/** Adds a node: below the selected one and connected from it, or else in the center of the visible area. */
function AddNode({ flow, flowEditor, chosen, show, middle }: FlowToolbarProps) {
  const add = (type: FlowNodeType): void => {
    const [after, ...others] = chosen.nodes;
    const above = after !== undefined && others.length === 0 ? placesOf(flow).get(after) : undefined;
    const place = above ? { x: above.x, y: above.y + ROW } : middle();
    const grown = withNode(flow, { type, place, after: above && after });
    flowEditor.change(grown.flow);
    show(...grown.added);
  };
  return (
    <Menu button="Add node" label="Add node" className="flow-add">
      {NODE_TYPES.map((type) => (
        <MenuItem key={type} onSelect={() => add(type)}>
          {NODE_KINDS[type].name}
        </MenuItem>
      ))}
    </Menu>
  );
}

function FindNode({ flow, show }: Pick<FlowToolbarProps, "flow" | "show">) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(-1);
  const wanted = text.trim().toLowerCase();
  const found = wanted === "" ? [] : flow.nodes.filter((node) => wordsIn(node).includes(wanted));
  const next = (): void => {
    if (found.length === 0) return;
    const index = (at + 1) % found.length;
    setAt(index);
    show(found[index]?.id ?? "");
  };
  return (
    <form
      className="flow-find"
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <input
        className="pf-input"
        type="search"
        aria-label="Find a node"
        placeholder="Find a node"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(-1);
        }}
      />
      <span className="pf-muted" role="status">
        {wanted !== "" && foundText(found.length, at)}
      </span>
    </form>
  );
}

function foundText(count: number, at: number): string {
  if (count === 0) return "None";
  return at < 0 ? `${count} found` : `${at + 1} of ${count}`;
}

function wordsIn(node: DraftFlow["nodes"][number]): string {
  return [titleOf(node), JSON.stringify({ ...node, position: undefined })].join(" ").toLowerCase();
}
