import type { ReactNode } from "react";
import { wordsOf } from "./agent-labels.ts";
import { rangeText } from "./field-facts.ts";
import { useEditor } from "./use-editor.tsx";

/** The id of the element that edits a setting, for focusing it. */
export function settingId(path: string): string {
  return `setting-${path.replaceAll(".", "-")}`;
}

/** Attributes that tie an input to its frame. */
export interface FramedInput {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
  readonly onBlur: () => void;
}

interface SettingFrameProps {
  readonly path: string;
  /** Replaces the default help text. */
  readonly hint?: ReactNode;
  /** Read out after the label, to tell settings of the same name apart. */
  readonly of?: string | undefined;
  readonly children: (input: FramedInput) => ReactNode;
}

/** A setting's label, help, bounds and problem. */
export function SettingFrame({ path, hint, of, children }: SettingFrameProps) {
  const { shownFaults, touch } = useEditor();
  const id = settingId(path);
  const words = wordsOf(path);
  const range = rangeText(path);
  const fault = shownFaults[path];
  const help = hint ?? words.hint;
  const hasHint = Boolean(help) || range !== "";
  const describedBy = [hasHint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>
        {words.label}
        {of && <span className="only-heard"> of {of}</span>}
      </label>
      {children({
        id,
        "aria-describedby": describedBy === "" ? undefined : describedBy,
        "aria-invalid": fault !== undefined,
        onBlur: () => touch(path),
      })}
      {hasHint && (
        <p id={`${id}-hint`} className="pf-muted field-hint">
          {help} {range !== "" && <span className="agent-range">{range}.</span>}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="agent-fault">
          {fault}
        </p>
      )}
    </div>
  );
}

/** A problem with a list as a whole. */
export function ListFault({ path }: { readonly path: string }) {
  const fault = useEditor().shownFaults[path];
  return fault ? (
    <p id={settingId(path)} tabIndex={-1} className="agent-fault" role="alert">
      {fault}
    </p>
  ) : null;
}
