import type { ReactNode } from "react";

/** Why something did not work; read out at once. */
export function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p className="message message-problem" role="alert">
      {children}
    </p>
  );
}

/** That something worked; read out when there is a pause. */
export function Success({ children }: { readonly children: ReactNode }) {
  return (
    <p className="message message-success" role="status">
      {children}
    </p>
  );
}
