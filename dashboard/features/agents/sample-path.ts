import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import { isVoiceProvider, SPEECH_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";
import { valueAt } from "./json-at.ts";

/** Path of a sample sentence in the draft's first voice. */
export function samplePath(draft: Json): string {
  const first = valueAt(draft, "tts.0");
  const chosen = isObject(first) ? first : {};
  const vendor = isVoiceProvider(chosen.vendor) ? chosen.vendor : "flite";
  const voice = typeof chosen.voice === "string" ? chosen.voice : SPEECH_VENDORS[vendor].tts.defaultVoice;
  const query = new URLSearchParams();
  if (typeof chosen.model === "string") query.set("model", chosen.model);
  for (const setting of ["speed", "volumeDb", "background", "backgroundVolumeDb"]) {
    const value = valueAt(draft, `sound.${setting}`);
    if (value !== undefined) query.set(setting, String(value));
  }
  const path = `/api/providers/${vendor}/samples/${encodeURIComponent(voice)}`;
  return query.size === 0 ? path : `${path}?${query}`;
}
