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
import { Loaded } from "../../ui/loaded.tsx";
import { Problem, Success } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { Time } from "../../ui/time.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { memberName, useMembers } from "./use-members.ts";

/** Who is in the organization, who is invited, and its name. */
export function MembersPage() {
  const here = useHere();
  const session = useSession();
  const orgId = here.org.id;
  const path = `/api/orgs/${orgId}/members`;
  const loaded = useMembers();
  const { data: members, reload } = loaded;
  const [leaving, setLeaving] = useState<Member>();
  const [refusal, setRefusal] = useState<string>();
  const mayManage = can(here, "manage_members");
  const changeRole = async (userId: string, role: Role): Promise<void> => {
    setRefusal(undefined);
    await session
      .call(`${path}/${userId}`, { method: "PATCH", orgId, body: { role } })
      .catch((error: unknown) => setRefusal(reasonOf(error)));
    await reload();
  };
  return (
    <AppPage title="Members">
      {refusal && <Problem>{refusal}</Problem>}
      <Loaded of={loaded}>{() => null}</Loaded>
      {members && (
        <TablePanel label="Members">
          <table className="pf-table">
            <TableHead columns={["Who", "Role", "Second factor", "Joined"]} withActions />
            <tbody>
              {members.map((member) => (
                <MemberRow
                  key={member.userId}
                  member={member}
                  mayManage={mayManage}
                  onRole={changeRole}
                  onRemove={() => setLeaving(member)}
                />
              ))}
            </tbody>
          </table>
        </TablePanel>
      )}
      {mayManage && <Invitations />}
      {can(here, "manage_workplace") && <Rename />}
      {leaving && <RemoveMember member={leaving} onClose={() => setLeaving(undefined)} onRemoved={reload} />}
    </AppPage>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly mayManage: boolean;
  readonly onRole: (userId: string, role: Role) => Promise<void>;
  readonly onRemove: () => void;
}

function MemberRow({ member, mayManage, onRole, onRemove }: MemberRowProps) {
  const { me, org } = useHere();
  const name = memberName(member);
  const isOwn = member.userId === me.id;
  const mayChange = mayManage && isAtLeast(org.role, member.role);
  return (
    <tr>
      <th scope="row">
        {name}
        {isOwn && <span className="pf-muted"> (you)</span>}
        {member.status === "deactivated" && <span className="pf-muted"> (deactivated)</span>}
        {member.name !== "" && <div className="pf-muted">{member.email ?? member.mobile}</div>}
      </th>
      <td>
        {mayChange ? (
          <select
            className="pf-select"
            aria-label={`Role of ${name}`}
            value={member.role}
            onChange={(event) => void onRole(member.userId, event.target.value as Role)}
          >
            {ROLES.slice(ROLES.indexOf(org.role)).map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        ) : (
          member.role
        )}
      </td>
      <td>{member.mfaEnabled ? "on" : "off"}</td>
      <td>
        <Time at={member.joinedAt} />
      </td>
      <td>
        {(isOwn || mayChange) && (
          <button type="button" className="pf-btn" onClick={onRemove}>
            {isOwn ? "Leave" : "Remove"}
            {!isOwn && <span className="only-heard"> {name}</span>}
          </button>
        )}
      </td>
    </tr>
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
      <Dialog title="Keys are left" onClose={onClose}>
        <p>
          {remainingKeys} API {remainingKeys === 1 ? "key" : "keys"} of theirs still work. Revoke them under
          API keys where that is not wanted.
        </p>
        <button type="button" className="pf-btn pf-btn-primary" onClick={onClose}>
          Understood
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
      <p>{isOwn ? "You" : "They"} lose access at once. Only a new invitation gives it back.</p>
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
  const [sentTo, setSentTo] = useState<string>();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    setSentTo(undefined);
    const body = { email: textOf(fields, "email"), role: textOf(fields, "role") };
    const { email } = await session.call<Invitation>(path, { orgId: org.id, body });
    setSentTo(email);
    await reload();
  });
  const [refusal, setRefusal] = useState<string>();
  const takeBack = async (id: string): Promise<void> => {
    setRefusal(undefined);
    await session
      .call(`${path}/${id}`, { method: "DELETE", orgId: org.id })
      .catch((error: unknown) => setRefusal(reasonOf(error)));
    await reload();
  };
  return (
    <section className="pf-card panel" aria-labelledby="invite-title">
      <h2 id="invite-title">Invite somebody</h2>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Email" name="email" type="email" autoComplete="off" required />
        <SelectField
          label="Role"
          name="role"
          options={ROLES.slice(ROLES.indexOf(org.role))}
          defaultValue="member"
        />
        {(problem ?? refusal) && <Problem>{problem ?? refusal}</Problem>}
        {sentTo && <Success>An invitation is on its way to {sentTo}.</Success>}
        <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
          Invite
        </button>
      </form>
      {data && data.invitations.length > 0 && (
        <ul className="codes" aria-label="Open invitations">
          {data.invitations.map(({ id, email, role, expiresAt }) => (
            <li key={id} className="row row-spread">
              <span>
                {email} as {role}, until <Time at={expiresAt} />
              </span>
              <button type="button" className="pf-btn" onClick={() => void takeBack(id)}>
                Take back<span className="only-heard"> the invitation of {email}</span>
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
  const [isDone, setDone] = useState(false);
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    setDone(false);
    await session.call(`/api/orgs/${org.id}`, {
      method: "PATCH",
      orgId: org.id,
      body: { name: textOf(fields, "name") },
    });
    await reloadMe();
    setDone(true);
  });
  return (
    <section className="pf-card panel" aria-labelledby="rename-title">
      <h2 id="rename-title">Organization</h2>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Name" name="name" defaultValue={org.name} maxLength={128} autoComplete="off" required />
        {problem && <Problem>{problem}</Problem>}
        {isDone && <Success>Renamed.</Success>}
        <button type="submit" className="pf-btn" disabled={isBusy}>
          Rename
        </button>
      </form>
    </section>
  );
}
