import { useCallback, useEffect, useState } from "react";
import { CAN_CHOOSE_SINK } from "../talk/sink.ts";

const STORED_UNDER = "parley-audio-devices";
/** Ids of the system's default device, which is not worth remembering. */
const SYSTEM_IDS: readonly string[] = ["", "default", "communications"];

export interface AudioDevice {
  readonly id: string;
  readonly label: string;
}

type Side = "microphone" | "speaker";
/** Ids change when a browser forgets a site; the label finds the device again. */
type Chosen = Readonly<Partial<Record<Side, AudioDevice>>>;

export interface AudioDevices {
  /** `prompt`: the browser will ask; it hides device names until then. */
  readonly permission: "granted" | "prompt" | "denied";
  readonly microphones: readonly AudioDevice[];
  readonly speakers: readonly AudioDevice[];
  readonly canChooseSpeaker: boolean;
  /** The chosen device's id; undefined for the system default, or when the chosen one is unplugged. */
  readonly microphoneId: string | undefined;
  readonly speakerId: string | undefined;
  /** Names of chosen devices that are unplugged. */
  readonly missing: readonly string[];
  readonly choose: (side: Side, id: string | undefined) => void;
  /** Rereads the devices, once a microphone was opened. */
  readonly refresh: () => void;
}

/** Available audio devices, and the person's choice, remembered by this browser. */
export function useAudioDevices(): AudioDevices {
  const [chosen, setChosen] = useState<Chosen>(readChosen);
  const [found, setFound] = useState<readonly MediaDeviceInfo[]>([]);
  const [permission, setPermission] = useState<AudioDevices["permission"]>("prompt");

  const refresh = useCallback(() => {
    void look().then((devices) => {
      setFound(devices);
      if (devices.some(({ kind, label }) => kind === "audioinput" && label !== "")) setPermission("granted");
    });
  }, []);
  useEffect(() => {
    refresh();
    const media = navigator.mediaDevices;
    media?.addEventListener("devicechange", refresh);
    return () => media?.removeEventListener("devicechange", refresh);
  }, [refresh]);
  usePermission(setPermission, refresh);

  const of = (kind: MediaDeviceKind): AudioDevice[] =>
    found
      .filter((device) => device.kind === kind && !SYSTEM_IDS.includes(device.deviceId))
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
  const [microphones, speakers] = [of("audioinput"), of("audiooutput")];
  const microphone = matching(microphones, chosen.microphone);
  const speaker = matching(speakers, chosen.speaker);
  const gone = (wanted: AudioDevice | undefined, there: AudioDevice | undefined): string[] =>
    wanted && !there && permission === "granted" ? [wanted.label] : [];

  const choose = (side: Side, id: string | undefined): void => {
    const device = (side === "microphone" ? microphones : speakers).find((each) => each.id === id);
    const { [side]: _before, ...rest } = chosen;
    const after = device ? { ...rest, [side]: device } : rest;
    localStorage.setItem(STORED_UNDER, JSON.stringify(after));
    setChosen(after);
  };
  return {
    permission,
    microphones,
    speakers,
    canChooseSpeaker: CAN_CHOOSE_SINK,
    microphoneId: microphone?.id,
    speakerId: speaker?.id,
    missing: [...gone(chosen.microphone, microphone), ...gone(chosen.speaker, speaker)],
    choose,
    refresh,
  };
}

function usePermission(onState: (state: PermissionState) => void, refresh: () => void): void {
  useEffect(() => {
    let status: PermissionStatus | undefined;
    const tell = (): void => {
      if (status === undefined) return;
      onState(status.state);
      refresh();
    };
    const ask = async (): Promise<void> => {
      // Not every browser knows this permission; device names tell instead.
      status = await navigator.permissions?.query({ name: "microphone" }).catch(() => undefined);
      status?.addEventListener("change", tell);
      tell();
    };
    void ask();
    return () => status?.removeEventListener("change", tell);
  }, [onState, refresh]);
}

async function look(): Promise<readonly MediaDeviceInfo[]> {
  const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => []);
  return devices ?? [];
}

function matching(devices: readonly AudioDevice[], wanted: AudioDevice | undefined): AudioDevice | undefined {
  if (wanted === undefined) return undefined;
  return devices.find(({ id }) => id === wanted.id) ?? devices.find(({ label }) => label === wanted.label);
}

function readChosen(): Chosen {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_UNDER) ?? "{}");
    return { ...deviceAt(stored, "microphone"), ...deviceAt(stored, "speaker") };
  } catch {
    return {};
  }
}

function deviceAt(stored: unknown, side: Side): Chosen {
  if (typeof stored !== "object" || stored === null) return {};
  const device: unknown = Reflect.get(stored, side);
  if (typeof device !== "object" || device === null) return {};
  const [id, label]: unknown[] = [Reflect.get(device, "id"), Reflect.get(device, "label")];
  return typeof id === "string" && typeof label === "string" ? { [side]: { id, label } } : {};
}
