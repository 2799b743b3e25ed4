import { type ReactNode, useState } from "react";
import { valueAt } from "./json-at.ts";
import { SettingFrame } from "./setting-frame.tsx";
import { useEditor } from "./use-editor.tsx";

interface SecretSettingProps {
  readonly path: string;
  readonly hint: ReactNode;
  /** A secret is stored; it is never shown again. */
  readonly hasSecret: boolean;
}

/** A write-only secret: keep, replace or remove it. */
export function SecretSetting({ path, hint, hasSecret }: SecretSettingProps) {
  const { draft, set } = useEditor();
  const value = valueAt(draft, path);
  const [isTyping, setTyping] = useState(false);
  const isKept = hasSecret && value === undefined && !isTyping;
  const isGoing = value === null;
  return (
    <SettingFrame path={path} hint={hint}>
      {(input) => (
        <div className="field-row">
          <input
            {...input}
            className="pf-input"
            type={isKept || isGoing ? "text" : "password"}
            autoComplete="new-password"
            readOnly={isKept || isGoing}
            value={secretText(value, isKept)}
            onChange={(event) => set(path, event.target.value === "" ? undefined : event.target.value)}
          />
          {isKept && (
            <>
              <button type="button" className="pf-btn" onClick={() => setTyping(true)}>
                Replace<span className="only-heard"> the secret</span>
              </button>
              <button type="button" className="pf-btn" onClick={() => set(path, null)}>
                Remove<span className="only-heard"> the secret</span>
              </button>
            </>
          )}
          {hasSecret && !isKept && (
            <button
              type="button"
              className="pf-btn"
              onClick={() => {
                setTyping(false);
                set(path, undefined);
              }}
            >
              Keep current secret
            </button>
          )}
        </div>
      )}
    </SettingFrame>
  );
}

function secretText(value: unknown, isKept: boolean): string {
  if (isKept) return "••••••••••••";
  if (value === null) return "Will be removed";
  return typeof value === "string" ? value : "";
}
