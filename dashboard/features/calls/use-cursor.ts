import { type RefObject, useCallback, useMemo, useRef, useState } from "react";

/** The sound of a recording, once its waveform is there. */
export interface Sound {
  readonly play: () => void;
  readonly pause: () => void;
  readonly seek: (secs: number) => void;
}

/** What the sound says to the cursor. */
export interface SoundListener {
  readonly onTime: (secs: number) => void;
  readonly onPlaying: (isPlaying: boolean) => void;
  readonly onBroken: () => void;
  /** The position to begin at: a reader may have chosen one before the sound was there. */
  readonly startSecs: () => number;
}

/** The one position in a call that its transcript and its time axis share. */
export interface Cursor {
  readonly atSecs: number;
  readonly isPlaying: boolean;
  readonly isBroken: boolean;
  readonly seek: (secs: number) => void;
  readonly playFrom: (secs: number) => void;
  readonly toggle: () => void;
  /** Set while the recording can be played. */
  readonly sound: RefObject<Sound | undefined>;
  readonly listener: SoundListener;
}

/** Moves by playing, by a click on either pane, and by keys; without a recording it only stands somewhere. */
export function useCursor(): Cursor {
  const [atSecs, setAtSecs] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const sound = useRef<Sound>(undefined);
  const latest = useRef({ atSecs: 0, isPlaying: false });
  const seek = useCallback((secs: number) => {
    latest.current.atSecs = secs;
    setAtSecs(secs);
    sound.current?.seek(secs);
  }, []);
  const playFrom = useCallback(
    (secs: number) => {
      seek(secs);
      sound.current?.play();
    },
    [seek],
  );
  const toggle = useCallback(() => {
    if (latest.current.isPlaying) sound.current?.pause();
    else sound.current?.play();
  }, []);
  const listener = useMemo(
    (): SoundListener => ({
      onTime: (secs) => {
        latest.current.atSecs = secs;
        setAtSecs(secs);
      },
      onPlaying: (now) => {
        latest.current.isPlaying = now;
        setPlaying(now);
      },
      onBroken: () => setBroken(true),
      startSecs: () => latest.current.atSecs,
    }),
    [],
  );
  return { atSecs, isPlaying, isBroken, seek, playFrom, toggle, sound, listener };
}
