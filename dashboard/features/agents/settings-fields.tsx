import { type ReactNode, useState } from "react";
import { UNIT_MS, wordsOf } from "./agent-labels.ts";
import { factsOf } from "./field-facts.ts";
import { isSame, valueAt } from "./json-at.ts";
import { SettingFrame, settingId } from "./setting-frame.tsx";
import { useEditor } from "./use-editor.tsx";

interface SettingProps {
  readonly path: string;
  readonly hint?: ReactNode;
  readonly of?: string | undefined;
}

interface TextSettingProps extends SettingProps {
  readonly type?: "text" | "url" | "tel";
  readonly placeholder?: string;
  /** Common values; any other may be typed. */
  readonly suggestions?: readonly string[];
}

/** A line of text; empty unsets it. */
export function TextSetting({ type = "text", placeholder, suggestions, ...frame }: TextSettingProps) {
  const { draft, set } = useEditor();
  const { path } = frame;
  const list = suggestions && `${settingId(path)}-list`;
  return (
    <SettingFrame {...frame}>
      {(input) => (
        <>
          <input
            {...input}
            className="pf-input"
            type={type}
            list={list}
            value={textAt(draft, path)}
            maxLength={factsOf(path).maxLength}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set(path, event.target.value === "" ? undefined : event.target.value)}
          />
          {suggestions && (
            <datalist id={list}>
              {suggestions.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )}
    </SettingFrame>
  );
}

/** Text of several lines. */
export function LongTextSetting({ rows = 4, ...frame }: SettingProps & { readonly rows?: number }) {
  const { draft, set } = useEditor();
  const { path } = frame;
  return (
    <SettingFrame {...frame}>
      {(input) => (
        <textarea
          {...input}
          className="pf-textarea"
          rows={rows}
          value={textAt(draft, path)}
          maxLength={factsOf(path).maxLength}
          onChange={(event) => set(path, event.target.value === "" ? undefined : event.target.value)}
        />
      )}
    </SettingFrame>
  );
}

/** A list of texts, one per line. */
export function LinesSetting(frame: SettingProps) {
  const { draft, set } = useEditor();
  const { path } = frame;
  const value = valueAt(draft, path);
  const lines = Array.isArray(value) ? value : [];
  const [typed, setTyped] = useState(lines.join("\n"));
  const shown = isSame(linesOf(typed), lines) ? typed : lines.join("\n");
  return (
    <SettingFrame {...frame}>
      {(input) => (
        <textarea
          {...input}
          className="pf-textarea"
          rows={3}
          value={shown}
          onChange={(event) => {
            setTyped(event.target.value);
            set(path, linesOf(event.target.value));
          }}
        />
      )}
    </SettingFrame>
  );
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** A number in its unit; empty means the default. */
export function NumberSetting({
  isDecimal = false,
  ...frame
}: SettingProps & { readonly isDecimal?: boolean }) {
  const { draft, set } = useEditor();
  const { path } = frame;
  const { unit } = wordsOf(path);
  const factor = unit ? UNIT_MS[unit] : 1;
  const value = valueAt(draft, path);
  const [typed, setTyped] = useState(() => numberText(value, factor));
  const shown = Object.is(numberOf(typed, factor), value) ? typed : numberText(value, factor);
  return (
    <SettingFrame {...frame}>
      {(input) => (
        <span className="agent-number">
          <input
            {...input}
            className="pf-input"
            inputMode={isDecimal || factor > 1 ? "decimal" : "numeric"}
            value={shown}
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.target.value);
              set(path, numberOf(event.target.value, factor));
            }}
          />
          {unit}
        </span>
      )}
    </SettingFrame>
  );
}

function numberText(value: unknown, factor: number): string {
  return typeof value === "number" ? String(value / factor) : textOf(value);
}

/** Text that is not a number stays text, for the schema to refuse. */
function numberOf(text: string, factor: number): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const number = Number(trimmed.replace(",", "."));
  if (!Number.isFinite(number)) return trimmed;
  // Milliseconds are whole, also when typed in seconds or minutes.
  return factor === 1 ? number : Math.round(number * factor);
}

/** One of the values the API knows, or one of `names` where it accepts any text. */
export function ChoiceSetting({
  names,
  ...frame
}: SettingProps & { readonly names?: Readonly<Record<string, string>> }) {
  const { draft, set } = useEditor();
  const { path } = frame;
  const { options = [] } = factsOf(path);
  return (
    <SettingFrame {...frame}>
      {(input) => (
        <select
          {...input}
          className="pf-select"
          value={textAt(draft, path)}
          onChange={(event) => set(path, event.target.value)}
        >
          {(options.length > 0 ? options : Object.keys(names ?? {})).map((option) => (
            <option key={option} value={option}>
              {names?.[option] ?? option}
            </option>
          ))}
        </select>
      )}
    </SettingFrame>
  );
}

/** Yes or no. */
export function SwitchSetting({ path, hint, of }: SettingProps) {
  const { draft, set } = useEditor();
  const id = settingId(path);
  const words = wordsOf(path);
  const help = hint ?? words.hint;
  return (
    <div className="field">
      <label className="check">
        <input
          id={id}
          type="checkbox"
          checked={valueAt(draft, path) === true}
          aria-describedby={help ? `${id}-hint` : undefined}
          onChange={(event) => set(path, event.target.checked)}
        />
        <span>
          {words.label}
          {of && <span className="only-heard"> of {of}</span>}
        </span>
      </label>
      {help && (
        <p id={`${id}-hint`} className="pf-muted field-hint agent-below-check">
          {help}
        </p>
      )}
    </div>
  );
}

function textAt(draft: unknown, path: string): string {
  return textOf(valueAt(draft, path));
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
