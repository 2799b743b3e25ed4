import { type ReactNode, useState } from "react";
import { isSame, valueAt } from "./json-at.ts";
import { SettingFrame } from "./setting-frame.tsx";
import { useEditor } from "./use-editor.tsx";

interface JsonSettingProps {
  readonly path: string;
  readonly hint?: ReactNode;
  readonly of?: string | undefined;
  readonly rows?: number;
}

/** Edits JSON as text, and reports syntax errors while typing. */
export function JsonSetting({ rows = 6, ...frame }: JsonSettingProps) {
  const { draft, set } = useEditor();
  const { path } = frame;
  const value = valueAt(draft, path);
  const [typed, setTyped] = useState(() => pretty(value));
  const read = readJson(typed);
  const isOurs = isSame("value" in read ? read.value : typed, value);
  const shown = isOurs ? typed : pretty(value);
  const problem = isOurs && "problem" in read ? read.problem : undefined;
  return (
    <SettingFrame {...frame}>
      {(input) => (
        <>
          <textarea
            {...input}
            className="pf-textarea agent-code"
            rows={rows}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={input["aria-invalid"] || problem !== undefined}
            value={shown}
            onChange={(event) => {
              const text = event.target.value;
              setTyped(text);
              const after = readJson(text);
              // Invalid JSON stays text, for the schema to refuse.
              set(path, "value" in after ? after.value : text);
            }}
            onBlur={() => {
              input.onBlur();
              if (!problem) setTyped(pretty(value));
            }}
          />
          <p className="agent-json-state" role="status">
            {problem}
          </p>
        </>
      )}
    </SettingFrame>
  );
}

function pretty(value: unknown): string {
  if (value === undefined || typeof value === "string") return value ?? "";
  return JSON.stringify(value, null, 2);
}

/** Parses JSON; empty text is an empty object. */
function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return {
      problem: `This is not JSON yet: ${error instanceof Error ? error.message : "it cannot be read"}.`,
    };
  }
}
