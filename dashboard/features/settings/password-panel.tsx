import { changePasswordSchema } from "@parley/shared/contracts/accounts.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { NewPasswordField } from "../../ui/credential-fields.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { toast } from "../../ui/toast.ts";

/** Changes the person's own password. */
export function PasswordPanel() {
  const session = useSession();
  const { me } = useHere();
  const form = useSchemaForm({
    schema: changePasswordSchema,
    values: { currentPassword: "", newPassword: "" },
    send: async (body) => {
      await session.call("/api/auth/change-password", { body });
      form.reset();
      toast("Password changed. All other devices are signed out.");
    },
  });
  return (
    <section className="pf-card panel" aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <SchemaForm form={form} does="Change password">
        <input type="hidden" name="username" value={me.email ?? me.mobile ?? ""} autoComplete="username" />
        <PasswordField
          {...form.field("currentPassword", "Current password")}
          autoComplete="current-password"
          required
        />
        <NewPasswordField {...form.field("newPassword", "New password")} />
      </SchemaForm>
    </section>
  );
}
