import { z } from "zod";
import { type RecognizerName, soundSchema, type VoiceProviderName } from "./call-plan.ts";
import { ACCOUNT_CARRIERS, type AccountCarrierName, CARRIER_CREDENTIALS } from "./carriers.ts";
import { wrapped } from "./envelope.ts";

/** A voice as people choose it. */
export interface Voice {
  readonly id: string;
  /** BCP 47; "mul" speaks the language of its text (ISO 639-2). */
  readonly language: string;
}

const voicesIn = (language: string, ids: readonly string[]): Voice[] => ids.map((id) => ({ id, language }));

/** What turns callers' voices into words. `models` are examples: a name that the vendor adds later works too. */
export const RECOGNIZERS: Readonly<
  Record<RecognizerName, { readonly defaultModel?: string; readonly models: readonly string[] }>
> = {
  client: { models: [] },
  command: { models: [] },
  openai: {
    defaultModel: "gpt-4o-mini-transcribe",
    models: ["gpt-4o-mini-transcribe", "gpt-4o-transcribe", "whisper-1"],
  },
  deepgram: { defaultModel: "nova-3", models: ["nova-3", "nova-2"] },
};

interface VoiceProvider {
  readonly defaultVoice: string;
  readonly voices: readonly Voice[];
  readonly defaultModel?: string;
  readonly models: readonly string[];
  /** The speeds it has; without them it always speaks at its own. */
  readonly speeds?: { readonly min: number; readonly max: number };
}

/** What speaks. A voice that is not listed works too where the vendor has it. */
export const VOICE_PROVIDERS = {
  flite: {
    defaultVoice: "slt",
    voices: [...voicesIn("en-US", ["slt", "rms", "kal", "kal16"]), ...voicesIn("en-GB", ["awb"])],
    models: [],
    speeds: { min: 0.5, max: 2 },
  },
  openai: {
    defaultVoice: "alloy",
    voices: voicesIn("mul", [
      ...["alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer", "verse"],
    ]),
    defaultModel: "gpt-4o-mini-tts",
    models: ["gpt-4o-mini-tts", "tts-1", "tts-1-hd"],
    speeds: { min: 0.25, max: 4 },
  },
  deepgram: {
    defaultVoice: "aura-2-thalia-en",
    voices: voicesIn("en-US", [
      "aura-2-thalia-en",
      "aura-2-andromeda-en",
      "aura-2-apollo-en",
      "aura-2-arcas-en",
    ]),
    models: [],
  },
  elevenlabs: {
    defaultVoice: "JBFqnCBsd6RMkjVDRZzb",
    voices: voicesIn("mul", ["JBFqnCBsd6RMkjVDRZzb"]),
    defaultModel: "eleven_flash_v2_5",
    models: ["eleven_flash_v2_5", "eleven_multilingual_v2"],
    speeds: { min: 0.7, max: 1.2 },
  },
} as const satisfies Readonly<Record<VoiceProviderName, VoiceProvider>>;

export type ProviderName = RecognizerName | VoiceProviderName | AccountCarrierName | "loopback";

/** Every provider, and the setting of the server that it needs (docs/configuration.md); carriers need an organization's account. */
export const PROVIDERS: Readonly<Record<ProviderName, { readonly name: string; readonly setting?: string }>> =
  {
    client: { name: "The caller's browser or app" },
    command: { name: "The server's own program", setting: "STT_COMMAND" },
    flite: { name: "Flite (built in)" },
    openai: { name: "OpenAI", setting: "OPENAI_API_KEY" },
    deepgram: { name: "Deepgram", setting: "DEEPGRAM_API_KEY" },
    elevenlabs: { name: "ElevenLabs", setting: "ELEVENLABS_API_KEY" },
    loopback: { name: "Simulated phones (built in)" },
    twilio: { name: "Twilio" },
    telnyx: { name: "Telnyx" },
    plivo: { name: "Plivo" },
    vonage: { name: "Vonage" },
  };

/** Models that agents with `brain.kind: "model"` name, by who serves them; any OpenAI-compatible server's own work too. */
export const MODEL_PROVIDERS: Readonly<
  Partial<Record<ProviderName, { readonly models: readonly string[] }>>
> = {
  openai: { models: ["gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1"] },
};

/** The names of the credentials that an organization connects a carrier with. */
export function carrierCredentialsOf(carrier: AccountCarrierName): string[] {
  return Object.keys(CARRIER_CREDENTIALS[carrier].shape);
}

export function isAccountCarrier(name: string): name is AccountCarrierName {
  return ACCOUNT_CARRIERS.some((known) => known === name);
}

const voiceSchema = z.object({
  id: z.string(),
  language: z.string(),
  isDefault: z.boolean(),
  /** Plays a sentence in this voice, with the same credentials; null while the provider cannot be used. */
  sampleUrl: z.string().nullable(),
});
const modelsSchema = z.object({ defaultModel: z.string().nullable(), models: z.array(z.string()) });

export const providerSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether agents of this organization can use it now. */
  available: z.boolean(),
  /** What is missing when it is not: a setting of the server, or a credential of the organization. Names, never values. */
  needs: z.array(z.object({ kind: z.enum(["setting", "credential"]), name: z.string() })),
  recognizer: modelsSchema.nullable(),
  speech: modelsSchema
    .extend({
      voices: z.array(voiceSchema),
      /** How fast its voices can speak, 1 being their own pace; null when that cannot be changed. */
      speeds: z.object({ min: z.number(), max: z.number() }).nullable(),
    })
    .nullable(),
  model: modelsSchema.nullable(),
  carrier: z.object({ credentials: z.array(z.string()) }).nullable(),
});
export type Provider = z.infer<typeof providerSchema>;

export const providerResponseSchema = wrapped(providerSchema);
export const providersResponseSchema = wrapped(
  z.object({ providers: z.array(providerSchema), total: z.int() }),
);
const catalogSchema = z.object({
  recognizers: z.array(providerSchema),
  voices: z.array(providerSchema),
  models: z.array(providerSchema),
  carriers: z.array(providerSchema),
});
export const catalogResponseSchema = wrapped(catalogSchema);

export const providerParamsSchema = z.object({ id: z.string().min(1).max(64) });
/** As the agent's settings have it: a query has texts only. */
export const voiceSampleQuerySchema = z.object({
  model: z.string().max(128).optional(),
  speed: z.coerce.number().pipe(soundSchema.shape.speed.unwrap()).default(1),
  volumeDb: z.coerce.number().pipe(soundSchema.shape.volumeDb.unwrap()).default(0),
  background: soundSchema.shape.background,
  backgroundVolumeDb: z.coerce.number().pipe(soundSchema.shape.backgroundVolumeDb.unwrap()).default(0),
});
export type SampleSound = z.infer<typeof voiceSampleQuerySchema>;
export const voiceSampleParamsSchema = providerParamsSchema.extend({ voice: z.string().min(1).max(128) });
