import type { Invitation, Member } from "@parley/shared/contracts/organizations.ts";
import { isAtLeast, ROLES, type Role } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { useData } from "../../api/use-data.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem } from "../../ui/messages.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Time } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.ts";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { memberColumns } from "./member-columns.tsx";
import { memberName, useMembers } from "./use-members.ts";

/** Members, invitations and the organization's name. */
export function MembersPage() {
  const here = useHere();
  const session = useSession();
  const orgId = here.org.id;
  const loaded = useMembers();
  const { data: members, reload } = loaded;
  const [leaving, setLeaving] = useState<Member>();
  const mayManage = can(here, "manage_members");
  const changeRole = async (member: Member, role: Role): Promise<void> => {
    const path = `/api/orgs/${orgId}/members/${member.userId}`;
    try {
      await session.call(path, { method: "PATCH", orgId, body: { role } });
      toast(`${memberName(member)} is now ${role}.`);
    } catch (error) {
      toastProblem(reasonOf(error));
    }
    await reload();
  };
  const mayChange = (member: Member): boolean => mayManage && isAtLeast(here.org.role, member.role);
  const columns = memberColumns({ here, mayChange, onRole: (...change) => void changeRole(...change) });
  return (
    <AppPage title="Members">
      <DataTable
        name="members"
        label="Members"
        columns={columns}
        rows={members}
        of={loaded}
        rowId={({ userId }) => userId}
        empty={<p>No members.</p>}
        actions={(member) => {
          const isOwn = member.userId === here.me.id;
          return (
            (isOwn || mayChange(member)) && (
              <button type="button" className="pf-btn" onClick={() => setLeaving(member)}>
                {isOwn ? "Leave" : "Remove"}
                {!isOwn && <span className="only-heard"> {memberName(member)}</span>}
              </button>
            )
          );
        }}
      />
      {mayManage && <Invitations />}
      {can(here, "manage_workplace") && <Rename />}
      {leaving && <RemoveMember member={leaving} onClose={() => setLeaving(undefined)} onRemoved={reload} />}
    </AppPage>
  );
}

interface RemoveMemberProps {
  readonly member: Member;
  readonly onClose: () => void;
  readonly onRemoved: () => Promise<void>;
}

function RemoveMember({ member, onClose, onRemoved }: RemoveMemberProps) {
  const session = useSession();
  const { me, org, reloadMe } = useHere();
  const isOwn = member.userId === me.id;
  const [remainingKeys, setRemainingKeys] = useState<number>();
  const remove = async (): Promise<void> => {
    const path = `/api/orgs/${org.id}/members/${member.userId}`;
    const { remainingApiKeys } = await session.call<{ remainingApiKeys: number }>(path, {
      method: "DELETE",
      orgId: org.id,
    });
    if (isOwn) return reloadMe();
    await onRemoved();
    if (remainingApiKeys === 0) onClose();
    else setRemainingKeys(remainingApiKeys);
  };
  if (remainingKeys !== undefined) {
    return (
      <Dialog title="Their API keys still work" onClose={onClose}>
        <p>
          {remainingKeys === 1
            ? "1 API key they created still works."
            : `${remainingKeys} API keys they created still work.`}{" "}
          Revoke what you don’t need under API keys.
        </p>
        <button type="button" className="pf-btn pf-btn-primary" onClick={onClose}>
          Got it
        </button>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={isOwn ? `Leave ${org.name}?` : `Remove ${memberName(member)}?`}
      does={isOwn ? "Leave" : "Remove"}
      isDanger
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{isOwn ? "You" : "They"} lose access immediately and need a new invitation to return.</p>
    </FormDialog>
  );
}

function Invitations() {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/invitations`;
  const loaded = useData(path, () =>
    session.call<{ invitations: Invitation[] }>(path, { method: "GET", orgId: org.id }),
  );
  const { data, reload } = loaded;
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const body = { email: textOf(fields, "email"), role: textOf(fields, "role") };
    const { email } = await session.call<Invitation>(path, { orgId: org.id, body });
    toast(`Invitation sent to ${email}.`);
    await reload();
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
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Email" name="email" type="email" autoComplete="off" required />
        <SelectField
          label="Role"
          name="role"
          options={ROLES.slice(ROLES.indexOf(org.role))}
          defaultValue="member"
        />
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Invite
        </button>
      </form>
      {data && data.invitations.length > 0 && (
        <ul className="invitations" aria-label="Open invitations">
          {data.invitations.map((invitation) => (
            <li key={invitation.id} className="row row-spread">
              <span>
                {invitation.email}
                <span className="pf-muted">
                  {" "}
                  · {invitation.role} · expires <Time at={invitation.expiresAt} />
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

function Rename() {
  const session = useSession();
  const { org, reloadMe } = useHere();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    await session.call(`/api/orgs/${org.id}`, {
      method: "PATCH",
      orgId: org.id,
      body: { name: textOf(fields, "name") },
    });
    await reloadMe();
    toast("Organization renamed.");
  });
  return (
    <section className="pf-card panel" aria-labelledby="rename-title">
      <h2 id="rename-title">Organization</h2>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Name" name="name" defaultValue={org.name} maxLength={128} autoComplete="off" required />
        {problem && <Problem>{problem}</Problem>}
        <button type="submit" className="pf-btn" disabled={isBusy}>
          Rename
        </button>
      </form>
    </section>
  );
}
