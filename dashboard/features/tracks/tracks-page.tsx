import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import type { Track } from "@parley/shared/contracts/tracks.ts";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { later } from "../../ui/later.ts";
import { Success } from "../../ui/messages.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Time } from "../../ui/time.tsx";
import { lengthText, roomText, sizeText } from "./track-labels.ts";
import { TrackPlayer } from "./track-player.tsx";
import { useTracks } from "./use-tracks.ts";

const DeleteDialog = later(async () => (await import("./track-dialogs.tsx")).DeleteDialog);
const RenameDialog = later(async () => (await import("./track-dialogs.tsx")).RenameDialog);
const UploadDialog = later(async () => (await import("./track-dialogs.tsx")).UploadDialog);

type Open = { readonly at: "none" | "upload" } | { readonly at: "rename" | "delete"; readonly track: Track };

/** The organization's sound files, played into calls by id. */
export function TracksPage() {
  const { org } = useHere();
  const { path, ...loaded } = useTracks();
  const { data, reload } = loaded;
  const [open, setOpen] = useState<Open>({ at: "none" });
  const [heard, hear] = useState<Track>();
  const [said, say] = useState<string>();
  const mayChange = isAtLeast(org.role, "developer");
  const show = (next: Open): void => {
    say(undefined);
    setOpen(next);
  };
  const dialog = {
    path,
    onClose: () => setOpen({ at: "none" }),
    onDone: async (done: string) => {
      say(done);
      await reload();
    },
  };
  const playing = data?.tracks.find(({ id }) => id === heard?.id);
  return (
    <AppPage title="Tracks">
      <div className="row row-spread">
        <p className="pf-muted">Sounds for calls that people make: played from Live calls, or by the API.</p>
        {mayChange ? (
          <button
            type="button"
            className="pf-btn pf-btn-primary"
            disabled={!data}
            onClick={() => show({ at: "upload" })}
          >
            Upload track
          </button>
        ) : (
          <p>Owners, admins and developers upload tracks. Your role here is {org.role}.</p>
        )}
      </div>
      {said && <Success>{said}</Success>}
      {playing && (
        <TrackPlayer key={playing.id} path={path} track={playing} onClose={() => hear(undefined)} />
      )}
      <DataTable
        name="tracks"
        label="List of tracks"
        columns={TRACK_COLUMNS}
        rows={data?.tracks}
        of={loaded}
        rowId={({ id }) => id}
        empty={<p>No tracks yet. Upload hold music or an announcement.</p>}
        actions={(track) => (
          <TrackButtons
            track={track}
            isHeard={playing?.id === track.id}
            onListen={hear}
            onChange={mayChange ? show : undefined}
          />
        )}
      />
      {data && data.tracks.length > 0 && <p className="pf-muted">{roomText(data)}</p>}
      {open.at === "upload" && data && <UploadDialog {...dialog} library={data} />}
      {open.at === "rename" && <RenameDialog {...dialog} track={open.track} />}
      {open.at === "delete" && <DeleteDialog {...dialog} track={open.track} />}
    </AppPage>
  );
}

const TRACK_COLUMNS: readonly Column<Track>[] = [
  {
    id: "name",
    name: "Name",
    sorts: true,
    look: "long",
    text: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    id: "length",
    name: "Length",
    sorts: true,
    look: "number",
    text: ({ durationMs }) => durationMs,
    cell: ({ durationMs }) => lengthText(durationMs),
  },
  {
    id: "size",
    name: "Size",
    sorts: true,
    look: "number",
    text: ({ sizeBytes }) => sizeBytes,
    cell: ({ sizeBytes }) => sizeText(sizeBytes),
  },
  {
    id: "added",
    name: "Added",
    sorts: true,
    text: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: "id",
    name: "Track ID",
    text: ({ id }) => id,
    cell: ({ id, name }) => <CopyButton label={`id of ${name}`} text={id} />,
  },
];

interface TrackButtonsProps {
  readonly track: Track;
  readonly isHeard: boolean;
  readonly onListen: (track: Track | undefined) => void;
  /** Undefined for people who may only listen. */
  readonly onChange: ((open: Open) => void) | undefined;
}

function TrackButtons({ track, isHeard, onListen, onChange }: TrackButtonsProps) {
  return (
    <div className="row cell-buttons">
      <button
        type="button"
        className="pf-btn"
        aria-pressed={isHeard}
        onClick={() => onListen(isHeard ? undefined : track)}
      >
        Listen<span className="only-heard"> to {track.name}</span>
      </button>
      {onChange && (
        <>
          <button type="button" className="pf-btn" onClick={() => onChange({ at: "rename", track })}>
            Rename<span className="only-heard"> {track.name}</span>
          </button>
          <button type="button" className="pf-btn" onClick={() => onChange({ at: "delete", track })}>
            Delete<span className="only-heard"> {track.name}</span>
          </button>
        </>
      )}
    </div>
  );
}
