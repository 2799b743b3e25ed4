import type { ReactNode } from "react";

/** Why something failed; announced at once. */
export function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p className="message message-problem" role="alert">
      {children}
    </p>
  );
}

/** Says that something worked; announced at the next pause. */
export function Success({ children }: { readonly children: ReactNode }) {
  return (
    <p className="message message-success" role="status">
      {children}
    </p>
  );
}
