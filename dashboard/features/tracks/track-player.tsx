import type { Track } from "@parley/shared/contracts/tracks.ts";
import { useEffect, useRef, useState } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/messages.tsx";

interface TrackPlayerProps {
  readonly path: string;
  readonly track: Track;
  readonly onClose: () => void;
}

/** Plays one track at once in the browser's own player. */
export function TrackPlayer({ path, track, onClose }: TrackPlayerProps) {
  const session = useSession();
  const { org } = useHere();
  // A browser's player sends no token, so the page fetches the file for it.
  const audioPath = `${path}/${track.id}/audio`;
  const { data, problem } = useData(audioPath, async () => {
    const response = await session.open(audioPath, { method: "GET", orgId: org.id });
    return response.blob();
  });
  const { shown, isBroken } = usePlayer(data, track.name);
  return (
    <section className="pf-card panel track-player" aria-label="Player">
      <div className="row row-spread">
        <strong>{track.name}</strong>
        <button type="button" className="pf-btn pf-btn-quiet" data-tip="Close the player" onClick={onClose}>
          <Icon name="close" />
          <span className="only-heard">Close the player</span>
        </button>
      </div>
      {(problem !== undefined || isBroken) && <Problem>{problem ?? "Your browser cannot play it."}</Problem>}
      {!data && problem === undefined && <p className="pf-muted">Loading…</p>}
      <div ref={shown} />
    </section>
  );
}

/** Mounts the browser's player in the `shown` element as soon as there is audio to play. */
function usePlayer(sound: Blob | undefined, name: string) {
  const shown = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (!sound) return;
    const url = URL.createObjectURL(sound);
    const player = new Audio(url);
    player.controls = true;
    player.ariaLabel = name;
    player.addEventListener("error", () => setBroken(true));
    shown.current?.replaceChildren(player);
    // Where a browser requires another press, its player has the button.
    player.play().catch(() => undefined);
    return () => {
      player.pause();
      player.remove();
      URL.revokeObjectURL(url);
    };
  }, [sound, name]);
  return { shown, isBroken };
}
