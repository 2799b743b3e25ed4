import type { Retention } from "@parley/shared/contracts/retention.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { LegalHoldPanel } from "./legal-hold-panel.tsx";
import { PersonPanel } from "./person-panel.tsx";
import { PiiPanel } from "./pii-panel.tsx";
import { RetentionPanel } from "./retention-panel.tsx";

/** Call data policy: retention, legal hold and masking. */
export function DataPage() {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/retention`;
  const loaded = useData(path, () => session.call<Retention>(path, { method: "GET", orgId: org.id }));
  const isManager = org.role === "owner" || org.role === "admin";
  return (
    <AppPage title="Data">
      {!isManager && (
        <p>
          Owners and admins say what is kept of calls, and what of it is masked. Your role here is {org.role}.
        </p>
      )}
      <Loaded of={loaded}>
        {(retention) => (
          <>
            <RetentionPanel
              path={path}
              retention={retention}
              isManager={isManager}
              onChanged={loaded.reload}
            />
            <LegalHoldPanel
              path={path}
              isHeld={retention.legalHold}
              isManager={isManager}
              onChanged={loaded.reload}
            />
          </>
        )}
      </Loaded>
      {isManager && <PiiPanel />}
      {isManager && <PersonPanel />}
    </AppPage>
  );
}
