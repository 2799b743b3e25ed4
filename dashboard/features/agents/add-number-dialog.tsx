import { CARRIERS, type PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { NUMBERS_PATH } from "./use-numbers.ts";

interface AddNumberDialogProps {
  readonly agentId: string;
  readonly onClose: () => void;
  readonly onAdded: (number: string) => Promise<void>;
}

/** Adds a number to the organization, for this agent. */
export function AddNumberDialog({ agentId, onClose, onAdded }: AddNumberDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const body = {
      number: textOf(fields, "number").replace(/[\s()./-]/g, ""),
      carrier: textOf(fields, "carrier"),
      label: textOf(fields, "label"),
      agentId,
    };
    const { number } = await session.call<PhoneNumber>(NUMBERS_PATH, { orgId: org.id, body });
    onClose();
    await onAdded(number);
  });
  return (
    <Dialog title="Add a number" onClose={onClose}>
      <form onSubmit={onSubmit}>
        <Field
          label="Number"
          name="number"
          type="tel"
          placeholder="+12025550124"
          autoComplete="off"
          hint="With + and its country. Any will do for loopback, where phones are simulated."
          required
        />
        <SelectField
          label="Carrier"
          name="carrier"
          options={CARRIERS}
          hint="Of the others you must have the number, and your account there be connected."
        />
        <Field label="Label (optional)" name="label" maxLength={128} placeholder="Front desk" />
        {problem && <Problem>{problem}</Problem>}
        <div className="row">
          <button type="submit" className="pf-btn pf-btn-primary" disabled={isBusy}>
            Add it
          </button>
          <button type="button" className="pf-btn" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
