import type { Member } from "@parley/shared/contracts/organizations.ts";
import { isAtLeast, type Role } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { later } from "../../ui/later.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { toast, toastProblem } from "../../ui/toast.ts";
import { memberColumns } from "./member-columns.tsx";
import { memberName, useMembers } from "./use-members.ts";

const InvitationsPanel = later(async () => (await import("./member-panels.tsx")).InvitationsPanel);
const RenamePanel = later(async () => (await import("./member-panels.tsx")).RenamePanel);

// Shown with the page.
void InvitationsPanel.preload();
void RenamePanel.preload();

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
      {mayManage && <InvitationsPanel />}
      {can(here, "manage_workplace") && <RenamePanel />}
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
