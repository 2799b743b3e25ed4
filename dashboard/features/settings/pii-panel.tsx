import type { PiiPolicy } from "@parley/shared/contracts/pii.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { later } from "../../ui/later.ts";
import { Loaded, Skeleton } from "../../ui/loaded.tsx";

const PolicyForm = later(async () => (await import("./pii-form.tsx")).PolicyForm, Skeleton);

// Shown with the page.
void PolicyForm.preload();

/** What is masked in calls and chats before anything is kept or sent. */
export function PiiPanel() {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/pii-policy`;
  const loaded = useData(path, () => session.call<PiiPolicy>(path, { method: "GET", orgId: org.id }));
  return (
    <section className="pf-card panel" aria-labelledby="pii-title">
      <h2 id="pii-title">PII redaction</h2>
      <p className="pf-muted">
        Applied before anything said or typed is stored, shown to people who watch the call, or sent to a
        webhook. Recordings are not changed. Changes apply to new sessions.
      </p>
      <Loaded of={loaded}>{(policy) => <PolicyForm path={path} policy={policy} />}</Loaded>
    </section>
  );
}
