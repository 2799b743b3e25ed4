import type { CallingHours } from "@parley/shared/contracts/campaigns.ts";
import type { FieldValues, Path } from "react-hook-form";
import { ChoiceField, Field } from "../../ui/field.tsx";
import type { SchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { NAMED_DAYS } from "./campaign-labels.ts";

/** Hours as they are typed. */
export interface TypedHours {
  readonly days: string;
  readonly from: string;
  readonly to: string;
}

/** Where the parts of hours are typed. */
export const HOURS_PLACES = { "hours.days": "days", "hours.from": "from", "hours.to": "to" } as const;

interface HoursFieldsProps<Typed extends FieldValues & TypedHours> {
  readonly form: SchemaForm<Typed>;
  readonly hours: CallingHours | undefined;
}

/** On which days and between which hours a campaign reaches people. */
export function HoursFields<Typed extends FieldValues & TypedHours>({
  form,
  hours,
}: HoursFieldsProps<Typed>) {
  const { days } = typedHours(hours);
  const field = (name: keyof TypedHours, label: string) => form.field(name as Path<Typed>, label);
  return (
    <div className="campaign-fields">
      <ChoiceField {...field("days", "Days")}>
        {Object.entries(NAMED_DAYS).map(([value, name]) => (
          <option key={value} value={value}>
            {name.charAt(0).toUpperCase() + name.slice(1)}
          </option>
        ))}
        {days in NAMED_DAYS ? null : <option value={days}>As they are</option>}
      </ChoiceField>
      <Field {...field("from", "From")} type="time" required hint="In the recipient’s local time." />
      <Field {...field("to", "Until")} type="time" required />
    </div>
  );
}

export function typedHours(hours: CallingHours | undefined): TypedHours {
  return {
    days: hours?.days.toSorted((one, other) => one - other).join(",") ?? "1,2,3,4,5",
    from: hours?.from ?? "09:00",
    to: hours?.to ?? "20:00",
  };
}

/** Hours as the API takes them. */
export function hoursIn({ days, from, to }: TypedHours): CallingHours {
  return { days: days.split(",").map(Number), from, to };
}
