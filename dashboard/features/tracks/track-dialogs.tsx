import { renameTrackSchema, type Track } from "@parley/shared/contracts/tracks.ts";
import { useId, useRef, useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SchemaDialog } from "../../ui/schema-form/schema-dialog.tsx";
import { useSchemaForm } from "../../ui/schema-form/use-schema-form.ts";
import { prepareTrack } from "./prepare-track.ts";
import { nameOf, whyNoRoom } from "./track-labels.ts";
import type { Library } from "./use-tracks.ts";

interface DialogProps {
  readonly path: string;
  readonly onClose: () => void;
  /** Receives a sentence about what was done. */
  readonly onDone: (said: string) => Promise<void>;
}

/** Adds a file; the browser converts what the API does not take. */
export function UploadDialog({
  path,
  library,
  onClose,
  onDone,
}: DialogProps & { readonly library: Library }) {
  const session = useSession();
  const { org } = useHere();
  const [wrong, setWrong] = useState<string>();
  const [name, setName] = useState("");
  const isNamed = useRef(false);
  const fileId = useId();
  const upload = async (fields: FormData): Promise<void> => {
    setWrong(undefined);
    const chosen = fields.get("file");
    const prepared = await prepareTrack(chosen instanceof File ? chosen : new Blob());
    const problem = "problem" in prepared ? prepared.problem : whyNoRoom(library, prepared.file.size);
    setWrong(problem);
    if ("problem" in prepared || problem !== undefined) return;
    const to = `${path}?${new URLSearchParams({ name: name.trim() })}`;
    const headers = { "content-type": "audio/wav" };
    const track = await session.call<Track>(to, { orgId: org.id, file: prepared.file, headers });
    onClose();
    await onDone(`${track.name} uploaded.`);
  };
  return (
    <FormDialog title="Upload track" does="Upload track" problem={wrong} onSubmit={upload} onClose={onClose}>
      <div className="field">
        <label htmlFor={fileId}>Sound file</label>
        <input
          id={fileId}
          className="pf-input"
          type="file"
          name="file"
          accept="audio/*,.wav,.mp3,.m4a,.ogg,.flac"
          aria-describedby={`${fileId}-hint`}
          required
          onChange={({ target }) => {
            setWrong(undefined);
            if (!isNamed.current) setName(nameOf(target.files?.[0]?.name ?? ""));
          }}
        />
        <p id={`${fileId}-hint`} className="pf-muted field-hint">
          WAV, MP3 or whatever else your browser plays, up to 10 minutes. It is kept as a WAV file.
        </p>
      </div>
      <Field
        label="Name"
        name="name"
        maxLength={128}
        autoComplete="off"
        value={name}
        onChange={({ target }) => {
          isNamed.current = target.value !== "";
          setName(target.value);
        }}
        required
      />
    </FormDialog>
  );
}

type TrackDialogProps = DialogProps & { readonly track: Track };

export function RenameDialog({ path, track, onClose, onDone }: TrackDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const form = useSchemaForm({
    schema: renameTrackSchema,
    values: { name: track.name },
    send: async (body) => {
      await session.call(`${path}/${track.id}`, { method: "PATCH", orgId: org.id, body });
      await onDone(`${track.name} renamed to ${body.name}.`);
      onClose();
    },
  });
  return (
    <SchemaDialog title="Rename track" does="Rename" form={form} onClose={onClose}>
      <Field {...form.field("name", "Name")} autoComplete="off" required />
    </SchemaDialog>
  );
}

export function DeleteDialog({ path, track, onClose, onDone }: TrackDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(`${path}/${track.id}`, { method: "DELETE", orgId: org.id });
    await onDone(`${track.name} deleted.`);
    onClose();
  };
  return (
    <FormDialog title={`Delete ${track.name}?`} does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>
        Whatever plays it by its id is refused from then on; a call that plays it right now plays it to its
        end. This cannot be undone.
      </p>
    </FormDialog>
  );
}
