import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import type { Waveform } from "@parley/shared/contracts/recordings.ts";
import { type RefObject, useEffect, useRef, useState } from "react";
import WaveSurfer from "wavesurfer.js";

const HEIGHT = 56;
/** Peaks are 8-bit. */
const FULL_SCALE = 128;

/** Controls of the recording for the rest of the page. */
export interface Player {
  readonly playFrom: (secs: number) => void;
}

interface WaveformOptions {
  readonly waveform: Waveform;
  readonly recording: NonNullable<CallRecord["recording"]>;
  readonly player: RefObject<Player | undefined>;
  readonly onTime: (secs: number) => void;
}

/** Draws a recording into `container` and plays it. The audio loads only on playback. */
export function useWaveform({ waveform, recording, player, onTime }: WaveformOptions) {
  const container = useRef<HTMLDivElement>(null);
  const surfer = useRef<WaveSurfer>(undefined);
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const tell = useRef(onTime);
  useEffect(() => {
    tell.current = onTime;
  });
  const play = (): void => void surfer.current?.play().catch(() => setBroken(true));
  // A reloaded record has a new link; keeping the first one lets playback continue.
  const [{ url, durationSecs }] = useState(recording);
  useEffect(() => {
    if (!container.current) return;
    const made = draw(container.current, { waveform, url, durationSecs });
    made.on("play", () => setPlaying(true));
    made.on("pause", () => setPlaying(false));
    made.on("finish", () => setPlaying(false));
    made.on("timeupdate", (secs) => tell.current(secs));
    made.on("error", () => setBroken(true));
    surfer.current = made;
    player.current = {
      playFrom: (secs) => {
        made.setTime(secs);
        void made.play().catch(() => setBroken(true));
      },
    };
    return () => {
      player.current = undefined;
      surfer.current = undefined;
      made.destroy();
    };
  }, [waveform, url, durationSecs, player]);
  return {
    container,
    isPlaying,
    isBroken,
    toggle: () => (isPlaying ? surfer.current?.pause() : play()),
    seek: (secs: number) => surfer.current?.setTime(secs),
  };
}

interface Drawn {
  readonly waveform: Waveform;
  readonly url: string;
  readonly durationSecs: number;
}

function draw(container: HTMLElement, { waveform, url, durationSecs }: Drawn): WaveSurfer {
  const colors = getComputedStyle(container);
  const colorOf = (name: string): string => colors.getPropertyValue(name).trim();
  const channel = { height: HEIGHT, waveColor: colorOf("--pf-muted"), progressColor: colorOf("--pf-link") };
  const media = new Audio();
  media.preload = "none";
  // The page's policy allows loading only from its own origin, whatever name that was reached by.
  const { pathname, search } = new URL(url, location.href);
  return WaveSurfer.create({
    container,
    media,
    url: pathname + search,
    peaks: waveform.channels.map((levels) => levels.map((level) => level / FULL_SCALE)),
    duration: durationSecs,
    splitChannels: waveform.channels.map(() => channel),
    cursorColor: colorOf("--pf-fg"),
    hideScrollbar: true,
    dragToSeek: true,
  });
}
