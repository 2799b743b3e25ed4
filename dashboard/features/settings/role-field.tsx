import { ROLES, type Role } from "@parley/shared/contracts/roles.ts";
import type { ComponentProps } from "react";
import { ChoiceField } from "../../ui/field.tsx";
import { roleText } from "../../ui/role-text.ts";

interface RoleFieldProps extends Omit<ComponentProps<typeof ChoiceField>, "children"> {
  /** The highest role that may be given: the giver's own. */
  readonly highest: Role;
}

/** A choice of the roles that a person may give. */
export function RoleField({ highest, ...field }: RoleFieldProps) {
  return (
    <ChoiceField {...field}>
      {ROLES.slice(ROLES.indexOf(highest)).map((role) => (
        <option key={role} value={role}>
          {roleText(role)}
        </option>
      ))}
    </ChoiceField>
  );
}
