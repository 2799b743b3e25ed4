import { type DncAdded, importDncSchema } from "@parley/shared/contracts/do-not-call.ts";
import { useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { Field, LongField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { textOfFile } from "./read-table.ts";
import { addedText, useOrgCall } from "./use-campaigns.ts";

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

/** Adds numbers, typed or out of a file. */
export function AddNumbersDialog({ onClose, onDone }: DialogProps) {
  const { send } = useOrgCall();
  const [file, setFile] = useState("");
  const [fileFault, setFileFault] = useState<string>();
  const form = useSchemaForm({
    schema: importDncSchema,
    values: { csv: "", reason: "" },
    body: ({ csv, reason }) => ({ csv: file || csv.trim(), reason }),
    send: async (body) => onDone(addedText(await send<DncAdded>("POST", "/dnc/import", body))),
  });
  const take = async (chosen: File | undefined): Promise<void> => {
    setFileFault(undefined);
    setFile("");
    try {
      if (chosen) setFile((await textOfFile(chosen)).trim());
    } catch (error) {
      setFileFault(reasonOf(error));
    }
  };
  return (
    <SchemaDialog title="Add numbers" does="Add numbers" form={form} onClose={onClose}>
      <LongField
        {...form.field("csv", "Numbers, one per line")}
        rows={4}
        placeholder="+12025550111"
        spellCheck={false}
      />
      <Field
        label="Or a CSV file"
        name="file"
        type="file"
        accept=".csv,text/csv,text/plain"
        hint="Used instead of the numbers above. They are read from the first column that has any."
        fault={fileFault}
        onChange={({ currentTarget: { files } }) => void take(files?.[0])}
      />
      <Field {...form.field("reason", "Why (optional)")} autoComplete="off" />
    </SchemaDialog>
  );
}

export function RemoveDialog({ number, onClose, onDone }: DialogProps & { readonly number: string }) {
  const { send } = useOrgCall();
  const remove = async (): Promise<void> => {
    await send("DELETE", `/dnc/${encodeURIComponent(number)}`);
    await onDone(`${number} may be called again.`);
  };
  return (
    <FormDialog title={`Remove ${number}`} does="Remove" isDanger onSubmit={remove} onClose={onClose}>
      <p>It can be called again. The audit log tells who removed it.</p>
    </FormDialog>
  );
}
