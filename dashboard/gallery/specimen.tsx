import type { ReactNode } from "react";

interface SpecimenProps {
  /** Names the component and its state. */
  readonly name: string;
  readonly children: ReactNode;
}

/** One component in one state. */
export function Specimen({ name, children }: SpecimenProps) {
  return (
    <section aria-label={name} data-specimen={name}>
      <p className="pf-muted field-hint">{name}</p>
      {children}
    </section>
  );
}

interface SpecimenGroupProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function SpecimenGroup({ title, children }: SpecimenGroupProps) {
  return (
    <section className="pf-card panel" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
