import { type ReactNode, useId } from "react";

interface SectionPartProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** A card of related settings. */
export function SectionPart({ title, lead, children }: SectionPartProps) {
  const id = useId();
  return (
    <section className="pf-card panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead && <p className="pf-muted">{lead}</p>}
      {children}
    </section>
  );
}
