import { CopyButton } from "./copy-button.tsx";
import { useKeyboardScroll } from "./use-keyboard-scroll.ts";

interface CodeBlockProps {
  /** Describes the text; shown above it as its name. */
  readonly label: string;
  readonly text: string;
}

/** Code or a message to read and copy. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  const block = useKeyboardScroll<HTMLElement>();
  return (
    <div className="code-block">
      <div className="code-block-head">
        <span>{label}</span>
        <CopyButton label={label} text={text} />
      </div>
      <section ref={block} className="code-block-text" aria-label={label}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
