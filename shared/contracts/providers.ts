import { z } from "zod";
import { soundSchema } from "./call-plan.ts";
import { wrapped } from "./envelope.ts";
import {
  ACCOUNT_CARRIERS,
  type AccountCarrierName,
  ofEachCarrier,
  PHONE_CARRIERS,
} from "./phone-carriers.ts";
import { SPEECH_VENDORS, type SpeechVendor, type SpeechVendorName } from "./speech-vendors.ts";

export type ProviderName = SpeechVendorName | AccountCarrierName | "loopback";

interface ProviderFacts {
  readonly name: string;
  /** The server setting that the provider needs (docs/configuration.md). */
  readonly setting?: string | undefined;
}

const speechProviders = Object.fromEntries(
  Object.entries<SpeechVendor>(SPEECH_VENDORS).map(([id, { label, settings }]): [string, ProviderFacts] => [
    id,
    { name: label, setting: Object.values(settings).find(({ isNeeded }) => isNeeded)?.variable },
  ]),
) as Record<SpeechVendorName, ProviderFacts>;

/** Every provider; carriers need an organization's account. */
export const PROVIDERS: Readonly<Record<ProviderName, ProviderFacts>> = {
  ...speechProviders,
  loopback: { name: "Simulated phones (built in)" },
  ...ofEachCarrier((carrier) => ({ name: PHONE_CARRIERS[carrier].label })),
};

/** Models for agents with `brain.kind: "model"`, by service; any model of an OpenAI-compatible server works, too. */
export const MODEL_PROVIDERS: Readonly<
  Partial<Record<ProviderName, { readonly models: readonly string[] }>>
> = {
  openai: { models: ["gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1"] },
};

/** The names of the credentials with which an organization connects a carrier. */
export function carrierCredentialsOf(carrier: AccountCarrierName): string[] {
  return Object.keys(PHONE_CARRIERS[carrier].credentials.shape);
}

export function isAccountCarrier(name: string): name is AccountCarrierName {
  return ACCOUNT_CARRIERS.some((known) => known === name);
}

const voiceSchema = z.object({
  id: z.string(),
  language: z.string(),
  isDefault: z.boolean(),
  /** Plays a sentence in this voice, with the same credentials; null while the provider is unavailable. */
  sampleUrl: z.string().nullable(),
});
const modelsSchema = z.object({ defaultModel: z.string().nullable(), models: z.array(z.string()) });

export const providerSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether this organization's agents can use the provider now. */
  available: z.boolean(),
  /** What is missing when it is unavailable: a server setting, or an organization's credential. Names, never values. */
  needs: z.array(z.object({ kind: z.enum(["setting", "credential"]), name: z.string() })),
  recognizer: modelsSchema.nullable(),
  speech: modelsSchema
    .extend({
      voices: z.array(voiceSchema),
      /** Range of speaking rates, 1 being a voice's own; null when the rate is fixed. */
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
/** Like an agent's settings, with texts only, because this is a query. */
export const voiceSampleQuerySchema = z.object({
  model: z.string().max(128).optional(),
  speed: z.coerce.number().pipe(soundSchema.shape.speed.unwrap()).default(1),
  volumeDb: z.coerce.number().pipe(soundSchema.shape.volumeDb.unwrap()).default(0),
  background: soundSchema.shape.background,
  backgroundVolumeDb: z.coerce.number().pipe(soundSchema.shape.backgroundVolumeDb.unwrap()).default(0),
});
export type SampleSound = z.infer<typeof voiceSampleQuerySchema>;
export const voiceSampleParamsSchema = providerParamsSchema.extend({ voice: z.string().min(1).max(128) });
