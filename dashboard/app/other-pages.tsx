import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { MissingCode } from "../ui/load-code.ts";
import { Problem } from "../ui/messages.tsx";
import { AppPage, AuthPage } from "./page.tsx";

/** For an address without a page. */
export function UnknownPage() {
  return (
    <AuthPage title="Page not found">
      <p>
        There is nothing here. Check the address, or <a href="/">go to Home</a>.
      </p>
    </AuthPage>
  );
}

/** Replaces a page whose code failed, or did not come. */
export function FailedPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isMissing = error instanceof MissingCode;
  return (
    <AppPage title={isMissing ? "The page could not be loaded" : "Something went wrong"}>
      <Problem>
        {isMissing
          ? "Check your connection and try again. If Parley was updated, reload the page."
          : `This page stopped working${error instanceof Error ? `: ${error.message}` : ""}`}
      </Problem>
      <div className="row">
        {/* Loads the page's code once more, too. */}
        <button type="button" className="pf-btn pf-btn-primary" onClick={() => void router.invalidate()}>
          Try again
        </button>
        <button type="button" className="pf-btn" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </AppPage>
  );
}
