import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import type { Waveform } from "@parley/shared/contracts/recordings.ts";
import { type RefObject, useEffect, useRef, useState } from "react";
import WaveSurfer, { type WaveSurferOptions } from "wavesurfer.js";
import { onColorsChanged } from "../../ui/theme.ts";
import type { Cursor } from "./use-cursor.ts";

/** Height of a channel in pixels; the lanes' names beside it are as high. */
const HEIGHT = 48;
/** Peaks are 8-bit. */
const FULL_SCALE = 128;
/** The sides' colors, as those of a live call. */
const SIDES = ["--pf-success", "--pf-link"] as const;

interface WaveformOptions extends Pick<Cursor, "sound" | "listener"> {
  readonly waveform: Waveform;
  readonly recording: NonNullable<CallRecord["recording"]>;
}

/** Draws a recording into the returned container and lends its sound to the cursor. The audio loads only on playback. */
export function useWaveform({
  waveform,
  recording,
  sound,
  listener,
}: WaveformOptions): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null);
  // A reloaded record has a new link; keeping the first one lets playback continue.
  const [{ url, durationSecs }] = useState(recording);
  useEffect(() => {
    const inside = container.current;
    if (!inside) return;
    const made = draw(inside, { waveform, url, durationSecs });
    const unwatch = onColorsChanged(() => made.setOptions({ splitChannels: lanesOf(inside, waveform) }));
    made.on("play", () => listener.onPlaying(true));
    made.on("pause", () => listener.onPlaying(false));
    made.on("finish", () => listener.onPlaying(false));
    made.on("timeupdate", listener.onTime);
    made.on("error", listener.onBroken);
    const startSecs = listener.startSecs();
    if (startSecs > 0) made.setTime(startSecs);
    sound.current = {
      play: () => void made.play().catch(listener.onBroken),
      pause: () => made.pause(),
      seek: (secs) => made.setTime(Math.min(secs, durationSecs)),
    };
    return () => {
      unwatch();
      sound.current = undefined;
      listener.onPlaying(false);
      made.destroy();
    };
  }, [waveform, url, durationSecs, sound, listener]);
  return container;
}

interface Drawn {
  readonly waveform: Waveform;
  readonly url: string;
  readonly durationSecs: number;
}

function draw(container: HTMLElement, { waveform, url, durationSecs }: Drawn): WaveSurfer {
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
    splitChannels: lanesOf(container, waveform),
    // The page draws one cursor through all lanes, and listens to presses on all of them.
    cursorWidth: 0,
    interact: false,
    hideScrollbar: true,
  });
}

/** A lane for each side. A canvas takes colors, not variables: they are those of the page's theme right now. */
function lanesOf(
  container: HTMLElement,
  { channels }: Waveform,
): NonNullable<WaveSurferOptions["splitChannels"]> {
  const colors = getComputedStyle(container);
  return channels.map((_, side) => {
    const name = channels.length === 1 ? "--pf-muted" : (SIDES[side] ?? "--pf-muted");
    const color = colors.getPropertyValue(name).trim();
    return { height: HEIGHT, waveColor: color, progressColor: color };
  });
}
