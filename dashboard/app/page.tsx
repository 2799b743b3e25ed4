import { type ReactNode, useLayoutEffect, useRef } from "react";

interface PageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * Names the page to the tab and to a screen reader, and puts the focus on its heading: before anybody can see the page, or the
 * heading would take the focus from whoever types already, and with it the Enter that sends a password.
 */
function usePageHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Parley`;
    heading.current?.focus();
  }, [title]);
  return heading;
}

/** A page of one card, before anybody is signed in. */
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

/** A page inside the frame of those who are signed in. */
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
