import type { Member } from "@parley/shared/contracts/organizations.ts";
import { ROLES, type Role } from "@parley/shared/contracts/roles.ts";
import type { Here } from "../../api/use-session.ts";
import { roleText } from "../../ui/role-text.ts";
import type { Column } from "../../ui/table/columns.ts";
import { Time } from "../../ui/time.tsx";
import { memberName } from "./use-members.ts";

interface Deps {
  readonly here: Here;
  readonly mayChange: (member: Member) => boolean;
  readonly onRole: (member: Member, role: Role) => void;
}

/** Columns of the member list; people who may change a role do so there. */
export function memberColumns({ here: { me, org }, mayChange, onRole }: Deps): readonly Column<Member>[] {
  const roles = ROLES.slice(ROLES.indexOf(org.role));
  return [
    {
      id: "name",
      name: "Name",
      sorts: true,
      look: "long",
      text: memberName,
      cell: (member) => (
        <>
          {memberName(member)}
          {member.userId === me.id && <span className="pf-muted"> (you)</span>}
          {member.status === "deactivated" && <span className="pf-muted"> (deactivated)</span>}
          {member.name !== "" && <div className="pf-muted">{member.email ?? member.mobile}</div>}
        </>
      ),
    },
    {
      id: "role",
      name: "Role",
      sorts: true,
      text: ({ role }) => ROLES.indexOf(role),
      cell: (member) =>
        mayChange(member) ? (
          <select
            className="pf-select"
            aria-label={`Role of ${memberName(member)}`}
            value={member.role}
            onChange={(event) => onRole(member, event.target.value as Role)}
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {roleText(role)}
              </option>
            ))}
          </select>
        ) : (
          roleText(member.role)
        ),
    },
    {
      id: "mfa",
      name: "Two-factor",
      sorts: true,
      text: ({ mfaEnabled }) => (mfaEnabled ? "On" : "Off"),
      cell: ({ mfaEnabled }) => (mfaEnabled ? "On" : "Off"),
    },
    {
      id: "joined",
      name: "Joined",
      sorts: true,
      text: ({ joinedAt }) => joinedAt,
      cell: ({ joinedAt }) => <Time at={joinedAt} />,
    },
  ];
}
