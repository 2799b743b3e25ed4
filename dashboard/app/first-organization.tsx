import { useSession } from "../api/use-session.ts";
import { Field } from "../ui/field.tsx";
import { Problem } from "../ui/messages.tsx";
import { textOf, useSubmit } from "../ui/use-submit.ts";
import { AuthPage } from "./page.tsx";

/** Shown to a person who left, or was removed from, their last organization. */
export function FirstOrganization({ onMade }: { readonly onMade: () => Promise<void> }) {
  const session = useSession();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    await session.call("/api/orgs", { body: { name: textOf(fields, "name") } });
    await onMade();
  });
  return (
    <AuthPage title="You’re not in an organization yet">
      <p>Ask for an invite or create one.</p>
      <form onSubmit={onSubmit}>
        <Field label="Name" name="name" maxLength={128} autoComplete="organization" required />
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Create organization
        </button>
        <button type="button" className="pf-btn pf-btn-quiet" onClick={() => void session.signOut()}>
          Sign out
        </button>
      </form>
    </AuthPage>
  );
}
