import { ChoiceField } from "../../ui/field.tsx";

const REFRESHES = [
  [0, "Only when asked"],
  [24, "Every day"],
  [168, "Every week"],
] as const;

/** How often a page or site is read again: `refreshHours` of the form. */
export function RefreshField() {
  return (
    <ChoiceField label="Read it again" name="refreshHours" defaultValue="24">
      {REFRESHES.map(([hours, name]) => (
        <option key={hours} value={hours}>
          {name}
        </option>
      ))}
    </ChoiceField>
  );
}
