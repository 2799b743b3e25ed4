import type { CallingHours } from "@parley/shared/contracts/campaigns.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { textOf } from "../../ui/use-submit.ts";
import { NAMED_DAYS } from "./campaign-labels.ts";

/** On which days and between which hours a campaign reaches people. */
export function HoursFields({ hours }: { readonly hours: CallingHours | undefined }) {
  const days = hours?.days.toSorted((one, other) => one - other).join(",") ?? "1,2,3,4,5";
  return (
    <div className="campaign-fields">
      <ChoiceField label="Days" name="days" defaultValue={days}>
        {Object.entries(NAMED_DAYS).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        {days in NAMED_DAYS ? null : <option value={days}>As they are</option>}
      </ChoiceField>
      <Field
        label="From"
        name="from"
        type="time"
        required
        defaultValue={hours?.from ?? "09:00"}
        hint="In the recipient's local time."
      />
      <Field label="Until" name="to" type="time" required defaultValue={hours?.to ?? "20:00"} />
    </div>
  );
}

export function hoursIn(fields: FormData): CallingHours {
  return {
    days: textOf(fields, "days").split(",").map(Number),
    from: textOf(fields, "from"),
    to: textOf(fields, "to"),
  };
}
