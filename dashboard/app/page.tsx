import { type ReactNode, useLayoutEffect, useRef } from "react";

interface PageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * Names the page to the tab and to screen readers, and focuses its heading before the page is visible: later,
 * it would steal the focus from a person already typing, and with it the Enter that sends a password.
 */
function usePageHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Parley`;
    heading.current?.focus();
  }, [title]);
  return heading;
}

/** A page of one card, before sign-in. */
export function AuthPage({ title, children }: PageProps) {
  const heading = usePageHeading(title);
  return (
    <main className="door">
      <section className="pf-card door-card">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </section>
    </main>
  );
}

/** A page inside the signed-in frame. */
export function AppPage({ title, children }: PageProps) {
  const heading = usePageHeading(title);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </>
  );
}
