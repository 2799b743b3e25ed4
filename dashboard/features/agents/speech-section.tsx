import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import {
  isRecognizer,
  isVoiceProvider,
  SPEECH_VENDORS,
  type SpeechVendorName,
  STT_VENDORS,
  TTS_VENDORS,
} from "@parley/shared/contracts/speech-vendors.ts";
import type { ReactNode } from "react";
import { ItemList } from "./item-list.tsx";
import { valueAt } from "./json-at.ts";
import { SectionPart } from "./section-part.tsx";
import { ListFault } from "./setting-frame.tsx";
import { ChoiceSetting, NumberSetting, SwitchSetting, TextSetting } from "./settings-fields.tsx";
import { useEditor } from "./use-editor.tsx";
import { VoiceSample } from "./voice-sample.tsx";

const labelsOf = (vendors: readonly SpeechVendorName[]): Readonly<Record<string, string>> =>
  Object.fromEntries(vendors.map((vendor) => [vendor, SPEECH_VENDORS[vendor].label]));
const VOICE_NAMES = labelsOf(TTS_VENDORS);
const RECOGNIZER_NAMES = labelsOf(STT_VENDORS);
const voicesOf = (vendor: unknown): string[] =>
  isVoiceProvider(vendor) ? SPEECH_VENDORS[vendor].tts.voices.map(({ id }) => id) : [];
const hasModels = (vendor: unknown): boolean =>
  isRecognizer(vendor) && SPEECH_VENDORS[vendor].stt.models.length > 0;
const BACKGROUND_NAMES = {
  none: "None",
  office: "Office",
  cafe: "Café",
  "call-center": "Call center",
} as const;
const SUPPRESSION_NAMES = {
  auto: "Automatic: in noisy rooms",
  on: "Always",
  off: "Off",
} as const;
const VAD_NAMES = {
  auto: "Automatic",
  neural: "Neural model",
  webrtc: "WebRTC (lightweight)",
} as const;
const KEY_HINT = "Providers need an API key on the server.";
/** The most the API accepts. */
const MOST = 4;

/** How the agent sounds, and what transcribes the callers. */
export function SpeechSection() {
  const { draft } = useEditor();
  return (
    <>
      <SectionPart
        title="Voice"
        lead="The first one speaks. The next take over, in this order, when it fails in the middle of a call."
      >
        <Choices path="tts" what="voice" blank={{ vendor: "flite" }}>
          {(path, item) => (
            <div className="agent-grid">
              <ChoiceSetting path={`${path}.vendor`} names={VOICE_NAMES} hint={KEY_HINT} />
              <TextSetting
                path={`${path}.voice`}
                suggestions={voicesOf(item.vendor)}
                hint={
                  item.vendor === "elevenlabs"
                    ? "The voice’s ID. Leave empty for the provider’s default."
                    : "Leave empty for the default."
                }
              />
              {item.vendor !== "flite" && <TextSetting path={`${path}.model`} />}
            </div>
          )}
        </Choices>
      </SectionPart>
      <SectionPart title="How it sounds" lead="Applies to every voice above.">
        <div className="agent-grid">
          <NumberSetting path="sound.speed" isDecimal />
          <NumberSetting path="sound.volumeDb" isDecimal />
          <ChoiceSetting path="sound.background" names={BACKGROUND_NAMES} />
          {valueAt(draft, "sound.background") !== "none" && (
            <NumberSetting path="sound.backgroundVolumeDb" isDecimal />
          )}
        </div>
        <SwitchSetting path="messaging.answerVoiceWithVoice" />
        <VoiceSample />
      </SectionPart>
      <SectionPart
        title="Recognizer"
        lead="What turns the caller’s voice into words. The caller’s browser can do it on web calls; phone calls need one of the others."
      >
        <Choices path="stt" what="recognizer" blank={{ vendor: "deepgram", language: "en" }}>
          {(path, item) => (
            <div className="agent-grid">
              <ChoiceSetting path={`${path}.vendor`} names={RECOGNIZER_NAMES} hint={KEY_HINT} />
              <TextSetting path={`${path}.language`} />
              {hasModels(item.vendor) && <TextSetting path={`${path}.model`} />}
            </div>
          )}
        </Choices>
      </SectionPart>
      <SectionPart
        title="Background noise"
        lead="How callers are heard over music, traffic and other people. Recordings keep the original sound."
      >
        <div className="agent-grid">
          <ChoiceSetting path="hearing.noiseSuppression" names={SUPPRESSION_NAMES} />
          <ChoiceSetting path="hearing.vad" names={VAD_NAMES} />
        </div>
      </SectionPart>
    </>
  );
}

interface ChoicesProps {
  readonly path: "tts" | "stt";
  readonly what: string;
  readonly blank: Json;
  readonly children: (path: string, item: Json) => ReactNode;
}

function Choices({ path, what, blank, children }: ChoicesProps) {
  const { draft, set } = useEditor();
  const value = valueAt(draft, path);
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  return (
    <>
      <ListFault path={path} />
      <ItemList
        path={path}
        items={items}
        least={1}
        nameOf={(_, index) => (index === 0 ? `First ${what}` : `Fallback ${index}`)}
      >
        {children}
      </ItemList>
      {items.length < MOST && (
        <div className="row">
          <button type="button" className="pf-btn" onClick={() => set(path, [...items, blank])}>
            Add a fallback {what}
          </button>
        </div>
      )}
    </>
  );
}
