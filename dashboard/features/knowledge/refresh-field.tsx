import type { ComponentProps } from "react";
import { ChoiceField } from "../../ui/field.tsx";

const REFRESHES = [
  [0, "Only when asked"],
  [24, "Every day"],
  [168, "Every week"],
] as const;

/** How often a page or site is read again, in hours. */
export function RefreshField(field: Omit<ComponentProps<typeof ChoiceField>, "children">) {
  return (
    <ChoiceField {...field}>
      {REFRESHES.map(([hours, name]) => (
        <option key={hours} value={hours}>
          {name}
        </option>
      ))}
    </ChoiceField>
  );
}
