import {
  addKnowledgeDocumentSchema,
  DOCUMENT_MAX_BYTES,
  type KnowledgeDocument,
} from "@parley/shared/contracts/knowledge.ts";
import { useId, useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field, LongField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { FILE_ENDINGS, typeOfFile } from "./knowledge-labels.ts";
import { RefreshField } from "./refresh-field.tsx";

export interface DocumentDialogProps {
  /** Path of the base's documents. */
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: (said: string) => Promise<void>;
}

const NAME_MAX_CHARS = 256;
/** Uploads files one at a time; unreadable files are named before anything is sent. */
export function UploadFilesDialog({ path, onClose, onDone }: DocumentDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const id = useId();
  const [wrong, setWrong] = useState<string>();
  const upload = async (fields: FormData): Promise<void> => {
    const files = fields.getAll("files").filter((file) => file instanceof File);
    const problem = files.map(whyNot).find((why) => why !== undefined);
    setWrong(problem);
    if (problem !== undefined) return;
    for (const file of files) {
      const name = file.name.slice(0, NAME_MAX_CHARS);
      const headers = { "content-type": typeOfFile(file.name) ?? "" };
      const to = `${path}/upload?${new URLSearchParams({ name })}`;
      await session.call(to, { orgId: org.id, file, headers });
    }
    onClose();
    await onDone(files.length === 1 ? "1 file uploaded." : `${files.length} files uploaded.`);
  };
  return (
    <FormDialog title="Upload files" does="Upload files" problem={wrong} onSubmit={upload} onClose={onClose}>
      <div className="field">
        <label htmlFor={id}>Files</label>
        <input
          id={id}
          className="pf-input"
          type="file"
          name="files"
          accept={FILE_ENDINGS}
          aria-describedby={`${id}-hint`}
          multiple
          required
          onChange={() => setWrong(undefined)}
        />
        <p id={`${id}-hint`} className="pf-muted field-hint">
          PDF, Word (.docx), HTML, Markdown, text or CSV, up to 10 MB each. Pictures of text are not read.
        </p>
      </div>
    </FormDialog>
  );
}

function whyNot(file: File): string | undefined {
  if (typeOfFile(file.name) === undefined) {
    return `${file.name} cannot be read. Save it as PDF, .docx, HTML, Markdown, text or CSV.`;
  }
  if (file.size > DOCUMENT_MAX_BYTES) return `${file.name} is larger than 10 MB. Split it.`;
  return file.size === 0 ? `${file.name} is empty.` : undefined;
}

export function AddPageDialog({ path, onClose, onDone }: DocumentDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: addKnowledgeDocumentSchema,
    values: { url: "", refreshHours: "24" },
    body: ({ url, refreshHours }) => ({ type: "url", url: url.trim(), refreshHours: Number(refreshHours) }),
    send: async (body) => {
      await session.call(path, { orgId: org.id, body });
      onClose();
      await onDone("Page added.");
    },
  });
  return (
    <SchemaDialog title="Add web page" does="Add page" form={form} onClose={onClose}>
      <Field
        {...form.field("url", "Address")}
        type="url"
        placeholder="https://"
        autoComplete="off"
        required
      />
      <RefreshField {...form.field("refreshHours", "Read it again")} />
    </SchemaDialog>
  );
}

export function AddTextDialog({ path, onClose, onDone }: DocumentDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: addKnowledgeDocumentSchema,
    values: { name: "", text: "" },
    body: (typed) => ({ type: "text", ...typed }),
    send: async (body) => {
      await session.call(path, { orgId: org.id, body });
      onClose();
      await onDone(`${body.name} added.`);
    },
  });
  return (
    <SchemaDialog title="Add text" does="Add text" size="wide" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name")} autoComplete="off" required />
      <LongField
        {...form.field("text", "Text")}
        rows={12}
        hint="Headings (# Returns) help: each passage is found with the headings above it."
        required
      />
    </SchemaDialog>
  );
}

export function DeleteDocumentDialog({
  path,
  document,
  onClose,
  onDone,
}: DocumentDialogProps & { readonly document: KnowledgeDocument }) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${path}/${document.id}`, { method: "DELETE", orgId: org.id });
    onClose();
    await onDone(`${document.name} deleted.`);
  };
  return (
    <FormDialog title={`Delete ${document.name}?`} does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>Agents no longer answer from it. This cannot be undone.</p>
    </FormDialog>
  );
}
