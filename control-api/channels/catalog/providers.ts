import {
  carrierCredentialsOf,
  isAccountCarrier,
  MODEL_PROVIDERS,
  PROVIDERS,
  type Provider,
  type ProviderName,
} from "@parley/shared/contracts/providers.ts";
import {
  isRecognizer,
  isVoiceProvider,
  SPEECH_VENDORS,
  type VoiceProviderName,
} from "@parley/shared/contracts/speech-vendors.ts";
import { CARRIERS } from "@parley/shared/contracts/telephony.ts";

/** What an organization may use. */
export interface Usable {
  /** The recognizers and voices that the server's settings enable. */
  readonly speechVendors: ReadonlySet<string>;
  readonly connectedCarriers: readonly string[];
}

interface Models {
  readonly defaultModel?: string;
  readonly models: readonly string[];
}

/** Every provider, with its requirements. */
export function listProviders(usable: Usable): Provider[] {
  return Object.keys(PROVIDERS).map((id) => toProvider(id as ProviderName, usable));
}

function toProvider(id: ProviderName, usable: Usable): Provider {
  const needs = needsOf(id, usable);
  const available = needs.length === 0;
  const isCarrier = CARRIERS.some((carrier) => carrier === id);
  return {
    id,
    name: PROVIDERS[id].name,
    available,
    needs,
    recognizer: isRecognizer(id) ? modelsOf(SPEECH_VENDORS[id].stt) : null,
    speech: isVoiceProvider(id) ? speechOf(id, available) : null,
    model: MODEL_PROVIDERS[id] ? modelsOf(MODEL_PROVIDERS[id]) : null,
    carrier: isCarrier ? { credentials: isAccountCarrier(id) ? carrierCredentialsOf(id) : [] } : null,
  };
}

function needsOf(id: ProviderName, { speechVendors, connectedCarriers }: Usable): Provider["needs"] {
  const { setting } = PROVIDERS[id];
  if (setting !== undefined) return speechVendors.has(id) ? [] : [{ kind: "setting", name: setting }];
  if (!isAccountCarrier(id) || connectedCarriers.includes(id)) return [];
  return carrierCredentialsOf(id).map((name) => ({ kind: "credential", name }));
}

function speechOf(id: VoiceProviderName, available: boolean): Provider["speech"] {
  const { voices, defaultVoice, ...provider } = SPEECH_VENDORS[id].tts;
  return {
    speeds: "speeds" in provider ? provider.speeds : null,
    ...modelsOf(SPEECH_VENDORS[id].tts),
    voices: voices.map((voice) => ({
      ...voice,
      isDefault: voice.id === defaultVoice,
      sampleUrl: available ? `/api/providers/${id}/samples/${voice.id}` : null,
    })),
  };
}

function modelsOf({ defaultModel, models }: Models) {
  return { defaultModel: defaultModel ?? null, models: [...models] };
}
