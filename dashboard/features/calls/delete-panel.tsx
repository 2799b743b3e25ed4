import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { permissionsOf } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Success } from "../../ui/messages.tsx";
import { ExactTime } from "../../ui/time.tsx";

interface DeletePanelProps {
  readonly call: CallDetail;
  readonly onDeleted: () => Promise<void>;
}

interface Deletion {
  readonly does: string;
  readonly title: string;
  readonly warning: string;
  readonly path: string;
  readonly done: string;
}

/** Deletes a call's recording, or its whole content, for good. */
export function DeletePanel({ call, onDeleted }: DeletePanelProps) {
  const { org } = useHere();
  const [asked, ask] = useState<Deletion>();
  const [said, say] = useState<string>();
  const mayDelete = permissionsOf(org.role).includes("manage_recordings") && !call.legalHold;
  return (
    <section className="pf-card panel" aria-labelledby="delete-title">
      <h2 id="delete-title">Delete</h2>
      <WhatHolds call={call} />
      {mayDelete && (
        <div className="row">
          {deletionsOf(call, org.id).map((deletion) => (
            <button
              key={deletion.does}
              type="button"
              className="pf-btn"
              onClick={() => {
                say(undefined);
                ask(deletion);
              }}
            >
              {deletion.does}
            </button>
          ))}
        </div>
      )}
      {said && <Success>{said}</Success>}
      {asked && (
        <AskFirst
          deletion={asked}
          onClose={() => ask(undefined)}
          onDone={async () => {
            ask(undefined);
            say(asked.done);
            await onDeleted();
          }}
        />
      )}
    </section>
  );
}

/** Why deletion is unavailable, or what it would do. */
function WhatHolds({ call }: { readonly call: CallDetail }) {
  const { org } = useHere();
  if (call.contentDeletedAt !== null) {
    return (
      <p>
        The transcript and the recording were deleted on <ExactTime at={call.contentDeletedAt} />. The call
        stays in the list.
      </p>
    );
  }
  if (call.legalHold)
    return (
      <p>
        The organization is under legal hold: nothing can be deleted until an owner or admin ends it, on the
        page Data.
      </p>
    );
  if (!permissionsOf(org.role).includes("manage_recordings")) {
    return (
      <p className="pf-muted">
        Deleting needs the role owner, admin or developer; yours is {org.role}. What is deleted cannot be had
        back.
      </p>
    );
  }
  return <p className="pf-muted">Deletion is permanent and includes every copy Parley keeps.</p>;
}

function deletionsOf({ sessionId, recording, contentDeletedAt }: CallDetail, orgId: string): Deletion[] {
  const org = `/api/orgs/${orgId}`;
  const ofRecording = recording && {
    does: "Delete recording",
    title: "Delete recording?",
    warning: "Deletes the audio and its waveform; links to it stop working. The transcript stays.",
    path: `${org}/recordings/${recording.id}`,
    done: "Recording deleted.",
  };
  const ofAll = contentDeletedAt === null && {
    does: "Delete transcript and recording",
    title: "Delete transcript and recording?",
    warning:
      "Deletes the transcript, the recording, the notes, the variables, what tools were sent and answered, and the webhook deliveries of this call, pending ones as well. The call stays in the list, with its time and duration.",
    path: `${org}/calls/${encodeURIComponent(sessionId)}/content`,
    done: "Transcript and recording deleted.",
  };
  return [ofRecording, ofAll].filter((deletion) => deletion !== null && deletion !== false);
}

interface AskFirstProps {
  readonly deletion: Deletion;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

function AskFirst({ deletion, onClose, onDone }: AskFirstProps) {
  const session = useSession();
  const { org } = useHere();
  const remove = async (): Promise<void> => {
    await session.call(deletion.path, { method: "DELETE", orgId: org.id });
    await onDone();
  };
  return (
    <FormDialog title={deletion.title} does="Delete" isDanger onSubmit={remove} onClose={onClose}>
      <p>{deletion.warning} This cannot be undone.</p>
    </FormDialog>
  );
}
