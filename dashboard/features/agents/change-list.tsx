import { diffLines, diffWordsWithSpace } from "diff";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import type { Change } from "./agent-diff.ts";

interface ChangeListProps {
  readonly changes: readonly Change[];
  /** Names of the two sides, for screen readers and above the values. */
  readonly before: string;
  readonly after: string;
}

/** Shows each changed setting before and after; in long texts only the differences are marked. */
export function ChangeList({ changes, before, after }: ChangeListProps) {
  if (changes.length === 0) return <p>They are the same.</p>;
  return (
    <dl className="agent-changes">
      {changes.map((change) => (
        <div key={change.path}>
          <dt>{change.labels.join(" › ")}</dt>
          <dd>
            <ChangedValue change={change} before={before} after={after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ChangedValueProps extends Omit<ChangeListProps, "changes"> {
  readonly change: Change;
}

function ChangedValue({ change, before, after }: ChangedValueProps) {
  const isText = change.before !== undefined && change.after !== undefined && isLong(change);
  if (isText) return <ChangedText before={change.before ?? ""} after={change.after ?? ""} />;
  return (
    <>
      <Value said={before} value={change.before} kind="del" />
      <Value said={after} value={change.after} kind="ins" />
    </>
  );
}

function isLong({ before = "", after = "" }: Change): boolean {
  return before.includes("\n") || after.includes("\n") || before.length + after.length > 160;
}

interface ValueProps {
  readonly said: string;
  readonly value: string | undefined;
  readonly kind: "del" | "ins";
}

function Value({ said, value, kind: Kind }: ValueProps) {
  return (
    <p className="agent-value">
      <span className="pf-muted">{said}</span>
      {value === undefined ? <em>not set</em> : <Kind>{value === "" ? "(empty)" : value}</Kind>}
    </p>
  );
}

/** Compares multi-line text by line, a paragraph by word. */
function ChangedText({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = before.includes("\n") ? diffLines(before, after) : diffWordsWithSpace(before, after);
  const text = useKeyboardScroll<HTMLElement>();
  return (
    <section ref={text} className="agent-text-diff" aria-label="What differs">
      {parts.map((part, index) => {
        // Parts have no identity but their position.
        const key = `${String(index)}-${part.count}`;
        if (part.added) return <ins key={key}>{part.value}</ins>;
        if (part.removed) return <del key={key}>{part.value}</del>;
        return <span key={key}>{part.value}</span>;
      })}
    </section>
  );
}
