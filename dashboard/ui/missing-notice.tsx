import { useSyncExternalStore } from "react";
import { missingParts, watchMissing } from "./missing-parts.ts";

/** Says that a part of the page did not come, above the page, which stays as it is. */
export function MissingNotice() {
  const missing = useSyncExternalStore(watchMissing, missingParts);
  if (missing.length === 0) return null;
  return (
    <div className="pf-card missing-notice" role="alert">
      <p>Part of this page could not be loaded. Check your connection and try again, or reload the page.</p>
      <div className="row">
        <button type="button" className="pf-btn pf-btn-primary" onClick={() => missing.forEach(tryAgain)}>
          Try again
        </button>
        <button type="button" className="pf-btn" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  );
}

function tryAgain(again: () => void): void {
  again();
}
