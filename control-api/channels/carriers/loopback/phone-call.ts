import type { Clock } from "@parley/shared/clock.ts";
import { PhoneSocket, type PhoneSocketEvents } from "./phone-socket.ts";
import { beep, type PhoneVoice } from "./phone-voice.ts";
import type { PhoneScript, PhoneStep } from "./script.ts";
import type { SpokenTrack } from "./spoken-tracks.ts";

const LOOK_EVERY_MS = 50;
/** How much of a track is queued ahead: it is resampled as it plays. */
const TRACK_AHEAD_MS = 500;
const NO_TRACK = "I have nothing to play. Please upload a WAV file on the page Tracks.";

export interface PhoneCallDeps {
  readonly clock: Clock;
  readonly voice: PhoneVoice;
  /** Resolves to undefined when the track cannot be played. */
  readonly openTrack: (trackId: string | undefined) => Promise<SpokenTrack | undefined>;
}

export interface PhoneCallEvents extends Pick<PhoneSocketEvents, "onAudio"> {
  onRinging(): void;
  onAnswered(): void;
  onBeep(): void;
  onEnded(status: "completed" | "busy" | "no-answer"): void;
}

/** A call to a simulated phone: rings, is answered, and runs its script until somebody hangs up. */
export class PhoneCall {
  readonly #deps: PhoneCallDeps;
  readonly #events: PhoneCallEvents;
  readonly #over = new AbortController();
  #socket: PhoneSocket | undefined;

  constructor(deps: PhoneCallDeps, events: PhoneCallEvents) {
    this.#deps = deps;
    this.#events = events;
  }

  /** Resolves when the call is over; rejects when the phone's voice fails. */
  async run(
    script: PhoneScript,
    { mediaUrl, ringTimeoutMs }: { mediaUrl: string; ringTimeoutMs: number },
  ): Promise<void> {
    this.#events.onRinging();
    const rings = script.outcome === "no-answer" ? ringTimeoutMs : Math.min(script.ringMs, ringTimeoutMs);
    await this.#pause(rings);
    if (this.#over.signal.aborted) return;
    if (script.outcome === "busy" || script.outcome === "no-answer") return this.#end(script.outcome);
    this.#events.onAnswered();
    await this.#connect(mediaUrl);
    for (const step of script.steps) {
      if (this.#over.signal.aborted) return;
      await this.#do(step);
    }
    this.hangUp();
  }

  /** Ends the call, on behalf of the phone's owner or the carrier. */
  hangUp(): void {
    this.#socket?.hangUp();
    this.#end("completed");
  }

  async #connect(mediaUrl: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const { onAudio } = this.#events;
      const events: PhoneSocketEvents = {
        onMessage: (message) => {
          // When we place the call, their phone may have to wait until somebody joins.
          if (message.type === "ready" && message.mode === "agent") resolve();
          if (message.type === "leg" && message.state === "live") resolve();
        },
        onClosed: () => {
          this.#end("completed");
          resolve();
        },
        ...(onAudio ? { onAudio } : {}),
      };
      this.#socket = new PhoneSocket(mediaUrl, events, this.#deps.clock);
    });
  }

  async #do(step: PhoneStep): Promise<void> {
    const socket = this.#socket;
    if (!socket) return;
    switch (step.do) {
      case "say":
        return this.#say(step.text, socket);
      case "play":
        return this.#play(step.trackId, socket);
      case "listen":
        return this.#listen(step, socket);
      case "press":
        for (const key of step.keys) {
          socket.press(key);
          await this.#pause(200);
        }
        return;
      case "wait":
        return this.#pause(step.ms);
      case "beep":
        socket.speak(beep());
        await this.#pause(socket.leftToSayMs);
        return this.#events.onBeep();
      case "hangUp":
        return this.hangUp();
    }
  }

  async #say(text: string, socket: PhoneSocket): Promise<void> {
    if (socket.isTextual) return socket.sendText(text);
    socket.speak(await this.#deps.voice.say(text, this.#over.signal));
    await this.#pause(socket.leftToSayMs);
  }

  /** Without a recognizer, the track is still heard and recorded. */
  async #play(trackId: string | undefined, socket: PhoneSocket): Promise<void> {
    const track = await this.#deps.openTrack(trackId);
    if (!track) return this.#say(NO_TRACK, socket);
    try {
      for (let frame = track.next(); frame && !this.#over.signal.aborted; frame = track.next()) {
        socket.speak(frame);
        if (socket.leftToSayMs >= TRACK_AHEAD_MS) await this.#pause(TRACK_AHEAD_MS / 2);
      }
    } finally {
      track.stop();
    }
    await this.#pause(socket.leftToSayMs);
  }

  /** Earlier speech counts: an opener may be over when listening begins. */
  async #listen(step: Extract<PhoneStep, { do: "listen" }>, socket: PhoneSocket): Promise<void> {
    const endMs = this.#deps.clock.monotonicMs() + step.withinMs;
    const heardBefore = socket.heardFrames;
    const isDone = (): boolean => socket.heardFrames > heardBefore && socket.quietMs >= step.quietMs;
    while (!this.#over.signal.aborted && this.#deps.clock.monotonicMs() < endMs && !isDone())
      await this.#pause(LOOK_EVERY_MS);
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#over;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const stop = (): void => {
        cancel();
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const cancel = this.#deps.clock.after(ms, stop);
      signal.addEventListener("abort", stop);
    });
  }

  #end(status: "completed" | "busy" | "no-answer"): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#events.onEnded(status);
  }
}
