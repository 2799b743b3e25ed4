import type { ErrorComponentProps } from "@tanstack/react-router";
import { Problem } from "../ui/messages.tsx";
import { AppPage, AuthPage } from "./page.tsx";

/** For an address without a page. */
export function UnknownPage() {
  return (
    <AuthPage title="Page not found">
      <p>
        There is no page at this address. <a href="/">Go to the start page</a>.
      </p>
    </AuthPage>
  );
}

/** Replaces a page whose code failed. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  return (
    <AppPage title="Something went wrong">
      <Problem>This page stopped working{error instanceof Error ? `: ${error.message}` : ""}</Problem>
      <div className="row">
        <button type="button" className="pf-btn pf-btn-primary" onClick={reset}>
          Try again
        </button>
        <button type="button" className="pf-btn" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </AppPage>
  );
}
