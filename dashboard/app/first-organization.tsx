import { createOrgSchema } from "@parley/shared/contracts/organizations.ts";
import { useSession } from "../api/use-session.ts";
import { Field } from "../ui/field.tsx";
import { SchemaForm } from "../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../ui/schema-form/use-schema-form.ts";
import { AuthPage } from "./page.tsx";

/** Shown to a person who left, or was removed from, their last organization. */
export function FirstOrganization({ onMade }: { readonly onMade: () => Promise<void> }) {
  const session = useSession();
  const form = useSchemaForm({
    schema: createOrgSchema,
    values: { name: "" },
    send: async (body) => {
      await session.call("/api/orgs", { body });
      await onMade();
    },
  });
  return (
    <AuthPage title="You’re not in an organization yet">
      <p>Ask for an invite or create one.</p>
      <SchemaForm form={form} does="Create organization" isMain>
        <Field {...form.field("name", "Name")} autoComplete="organization" required />
      </SchemaForm>
      <button type="button" className="pf-btn pf-btn-quiet" onClick={() => void session.signOut()}>
        Sign out
      </button>
    </AuthPage>
  );
}
