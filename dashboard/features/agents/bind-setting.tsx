import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { useState } from "react";
import { ArgumentField, argumentText, readArgument } from "../integrations/argument-field.tsx";
import type { Argument } from "../integrations/argument-list.ts";
import { TryToolDialog } from "../integrations/try-tool-dialog.tsx";
import { valueAt } from "./json-at.ts";
import { ListFault } from "./setting-frame.tsx";
import { useEditor } from "./use-editor.tsx";

interface ToolPartProps {
  /** Path of the tool. */
  readonly path: string;
  readonly name: string;
  /** All arguments the tool takes. */
  readonly given: readonly Argument[];
}

/** Arguments the builder fixes: the model neither sees nor changes them. */
export function BindSetting({ path, name, given }: ToolPartProps) {
  const { draft, set } = useEditor();
  const bind = valueAt(draft, `${path}.bind`);
  const fixed = isObject(bind) ? bind : {};
  if (given.length === 0) return null;
  const change = (argument: Argument, text: string): void => {
    const { [argument.name]: _, ...rest } = fixed;
    const value = readArgument(text, argument.type);
    set(`${path}.bind`, value === undefined ? rest : { ...rest, [argument.name]: value });
  };
  return (
    <details className="tool-fixed" open={Object.keys(fixed).length > 0}>
      <summary>
        Fixed values<span className="only-heard"> of {name}</span>
      </summary>
      <p className="pf-muted">Leave empty what the model should fill in from the conversation.</p>
      <ListFault path={`${path}.bind`} />
      <div className="agent-grid">
        {given.map((argument) => (
          <ArgumentField
            key={argument.name}
            argument={argument}
            name={`${path}.bind.${argument.name}`}
            label={argument.name}
            defaultValue={argumentText(fixed[argument.name])}
            onChange={(text) => change(argument, text)}
          />
        ))}
      </div>
    </details>
  );
}

/** A button that runs the tool as set up here, saved or not. */
export function TryButton({ path, name, given, isWrite }: ToolPartProps & { readonly isWrite: boolean }) {
  const { draft } = useEditor();
  const [isOpen, setOpen] = useState(false);
  const tool = valueAt(draft, path);
  const bind = valueAt(draft, `${path}.bind`);
  const fixed = isObject(bind) ? bind : {};
  return (
    <div className="row">
      <button type="button" className="pf-btn" onClick={() => setOpen(true)}>
        Try it<span className="only-heard"> {name}</span>
      </button>
      {isOpen && isObject(tool) && (
        <TryToolDialog
          tool={tool}
          name={name}
          given={given.filter((argument) => !Object.hasOwn(fixed, argument.name))}
          isWrite={isWrite}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

const CONFIRMS = { "": undefined, true: true, false: false } as const;

/** Whether the caller has to confirm first. */
export function ConfirmSetting({
  path,
  name,
  isWrite,
}: Omit<ToolPartProps, "given"> & { readonly isWrite: boolean }) {
  const { draft, set } = useEditor();
  const value = valueAt(draft, `${path}.confirm`);
  const id = `${path}-confirm`;
  return (
    <div className="field">
      <label htmlFor={id}>
        Ask the caller first<span className="only-heard"> of {name}</span>
      </label>
      <select
        id={id}
        className="pf-select"
        aria-describedby={`${id}-hint`}
        value={typeof value === "boolean" ? String(value) : ""}
        onChange={({ currentTarget }) =>
          set(`${path}.confirm`, CONFIRMS[currentTarget.value as keyof typeof CONFIRMS])
        }
      >
        <option value="">
          {isWrite ? "Default: yes, it changes something" : "Default: no, it only reads"}
        </option>
        <option value="true">Always</option>
        <option value="false">Never</option>
      </select>
      <p id={`${id}-hint`} className="pf-muted field-hint">
        The agent says what it will do and runs the tool after a yes.
      </p>
    </div>
  );
}
