import { type Invitation, inviteSchema, renameOrgSchema } from "@parley/shared/contracts/organizations.ts";
import { reasonOf } from "../../api/api-error.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { roleText } from "../../ui/role-text.ts";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { Time } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.ts";
import { RoleField } from "./role-field.tsx";

/** Invites people, and lists who was invited and has not come. */
export function InvitationsPanel() {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/invitations`;
  const { data, reload } = useData(path, () =>
    session.call<{ invitations: Invitation[] }>(path, { method: "GET", orgId: org.id }),
  );
  const form = useSchemaForm({
    schema: inviteSchema,
    values: { email: "", role: "member" },
    body: ({ email, role }) => ({ email: email.trim(), role }),
    send: async (body) => {
      const { email } = await session.call<Invitation>(path, { orgId: org.id, body });
      form.reset();
      toast(`Invitation sent to ${email}.`);
      await reload();
    },
  });
  const revoke = async ({ id, email }: Invitation): Promise<void> => {
    try {
      await session.call(`${path}/${id}`, { method: "DELETE", orgId: org.id });
      toast(`Invitation for ${email} revoked.`);
    } catch (error) {
      toastProblem(reasonOf(error));
    }
    await reload();
  };
  return (
    <section className="pf-card panel" aria-labelledby="invite-title">
      <h2 id="invite-title">Invite teammate</h2>
      <SchemaForm form={form} does="Send invitation" isMain>
        <Field {...form.field("email", "Email")} type="email" autoComplete="off" required />
        <RoleField {...form.field("role", "Role")} highest={org.role} />
      </SchemaForm>
      {data && data.invitations.length > 0 && (
        <ul className="invitations" aria-label="Open invitations">
          {data.invitations.map((invitation) => (
            <li key={invitation.id} className="row row-spread">
              <span>
                {invitation.email}
                <span className="pf-muted">
                  {" "}
                  · {roleText(invitation.role)} · expires <Time at={invitation.expiresAt} />
                </span>
              </span>
              <button type="button" className="pf-btn" onClick={() => void revoke(invitation)}>
                Revoke<span className="only-heard"> the invitation for {invitation.email}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Renames the organization. */
export function RenamePanel() {
  const session = useSession();
  const { org, reloadMe } = useHere();
  const form = useSchemaForm({
    schema: renameOrgSchema,
    values: { name: org.name },
    send: async (body) => {
      await session.call(`/api/orgs/${org.id}`, { method: "PATCH", orgId: org.id, body });
      await reloadMe();
      toast("Organization renamed.");
    },
  });
  return (
    <section className="pf-card panel" aria-labelledby="rename-title">
      <h2 id="rename-title">Organization</h2>
      <SchemaForm form={form} does="Rename">
        <Field {...form.field("name", "Name")} autoComplete="off" required />
      </SchemaForm>
    </section>
  );
}
