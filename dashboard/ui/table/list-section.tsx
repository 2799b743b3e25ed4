import { type ReactNode, useId } from "react";

interface ListSectionProps {
  readonly title: string;
  /** What the list is for, where its title does not say it. */
  readonly lead?: ReactNode;
  /** The list's table, and what belongs to it. */
  readonly children: ReactNode;
}

/** A titled part of a page that is a list. */
export function ListSection({ title, lead, children }: ListSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="list-section">
      <div>
        <h2 id={id}>{title}</h2>
        {lead && <p className="pf-muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}
