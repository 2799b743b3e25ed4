/**
 * The sources of speech recognition and speech synthesis: one descriptor per vendor. It provides the names that
 * agents choose from, the server's settings, the catalog, the pages' labels, `.env.example`, `docker-compose.yml`,
 * and docs/configuration.md.
 */

interface SettingBase {
  /** The environment variable. */
  readonly variable: string;
  /** Description for docs/configuration.md. */
  readonly about: string;
  /** The vendor cannot be used without this setting. */
  readonly isNeeded?: boolean;
}

/** A server setting. A key is a text that is never shown, `http` an address. */
export type VendorSetting = SettingBase &
  (
    | { readonly kind: "text" | "key" | "http"; readonly fallback?: string }
    | { readonly kind: "whole"; readonly min: number; readonly max: number; readonly fallback: string }
  );

/** A voice as people choose it. */
interface Voice {
  readonly id: string;
  /** BCP 47; "mul" speaks the language of its text (ISO 639-2). */
  readonly language: string;
}

interface Models {
  readonly defaultModel?: string;
  /** Examples: names that the vendor adds later work, too. */
  readonly models: readonly string[];
}

interface Voices extends Models {
  readonly defaultVoice: string;
  /** Examples: an unlisted voice works if the vendor has it. */
  readonly voices: readonly Voice[];
  /** Range of supported speeds; absent: the speed is fixed. */
  readonly speeds?: { readonly min: number; readonly max: number };
}

/** One vendor; media/stt/create.ts and media/tts/create.ts create its clients. */
export interface SpeechVendor {
  /** Display name. */
  readonly label: string;
  readonly settings: Readonly<Record<string, VendorSetting>>;
  /** Present if the vendor recognizes speech. */
  readonly stt?: Models;
  /** Present if the vendor synthesizes speech. */
  readonly tts?: Voices;
}

const voicesIn = (language: string, ids: readonly string[]): Voice[] => ids.map((id) => ({ id, language }));

/** Every vendor, in the order in which they are listed. */
export const SPEECH_VENDORS = {
  client: { label: "The caller’s browser or app", settings: {}, stt: { models: [] } },
  command: {
    label: "The server’s own program",
    settings: {
      commandLine: {
        variable: "STT_COMMAND",
        kind: "text",
        about:
          "Program of the `command` recognizer; {wav} stands for the utterance's file. `npm start` uses pocketsphinx_continuous when that is on the PATH.",
        isNeeded: true,
      },
    },
    stt: { models: [] },
  },
  flite: {
    label: "Flite (built in)",
    settings: {
      threads: {
        variable: "FLITE_THREADS",
        kind: "whole",
        min: 1,
        max: 64,
        fallback: "1",
        about: "Worker threads of the built-in voice.",
      },
    },
    tts: {
      defaultVoice: "slt",
      voices: [...voicesIn("en-US", ["slt", "rms", "kal", "kal16"]), ...voicesIn("en-GB", ["awb"])],
      models: [],
      speeds: { min: 0.5, max: 2 },
    },
  },
  openai: {
    label: "OpenAI",
    settings: {
      apiKey: {
        variable: "OPENAI_API_KEY",
        kind: "key",
        about: "Key for the `openai` recognizer and voice, and for agents' models.",
        isNeeded: true,
      },
      baseUrl: {
        variable: "OPENAI_BASE_URL",
        kind: "http",
        fallback: "https://api.openai.com/v1",
        about: "Any OpenAI-compatible endpoint, for speech and for models.",
      },
    },
    stt: {
      defaultModel: "gpt-4o-mini-transcribe",
      models: ["gpt-4o-mini-transcribe", "gpt-4o-transcribe", "whisper-1"],
    },
    tts: {
      defaultVoice: "alloy",
      voices: voicesIn("mul", [
        ...["alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer", "verse"],
      ]),
      defaultModel: "gpt-4o-mini-tts",
      models: ["gpt-4o-mini-tts", "tts-1", "tts-1-hd"],
      speeds: { min: 0.25, max: 4 },
    },
  },
  deepgram: {
    label: "Deepgram",
    settings: {
      apiKey: {
        variable: "DEEPGRAM_API_KEY",
        kind: "key",
        about: "Key for the `deepgram` recognizer and voice.",
        isNeeded: true,
      },
      url: {
        variable: "DEEPGRAM_URL",
        kind: "http",
        fallback: "https://api.deepgram.com",
        about: "Address of Deepgram.",
      },
    },
    stt: { defaultModel: "nova-3", models: ["nova-3", "nova-2"] },
    tts: {
      defaultVoice: "aura-2-thalia-en",
      voices: voicesIn("en-US", [
        ...["aura-2-thalia-en", "aura-2-andromeda-en", "aura-2-apollo-en", "aura-2-arcas-en"],
      ]),
      models: [],
    },
  },
  elevenlabs: {
    label: "ElevenLabs",
    settings: {
      apiKey: {
        variable: "ELEVENLABS_API_KEY",
        kind: "key",
        about: "Key for the `elevenlabs` voice.",
        isNeeded: true,
      },
      url: {
        variable: "ELEVENLABS_URL",
        kind: "http",
        fallback: "https://api.elevenlabs.io",
        about: "Address of ElevenLabs.",
      },
    },
    tts: {
      defaultVoice: "JBFqnCBsd6RMkjVDRZzb",
      voices: voicesIn("mul", ["JBFqnCBsd6RMkjVDRZzb"]),
      defaultModel: "eleven_flash_v2_5",
      models: ["eleven_flash_v2_5", "eleven_multilingual_v2"],
      speeds: { min: 0.7, max: 1.2 },
    },
  },
} as const satisfies Readonly<Record<string, SpeechVendor>>;

type Vendors = typeof SPEECH_VENDORS;
export type SpeechVendorName = keyof Vendors;
type Able<Skill extends "stt" | "tts"> = {
  [V in SpeechVendorName]: Vendors[V] extends Record<Skill, unknown> ? V : never;
}[SpeechVendorName];
export type RecognizerName = Able<"stt">;
export type VoiceProviderName = Able<"tts">;

type SettingOf<V extends SpeechVendorName> = Extract<
  Vendors[V]["settings"][keyof Vendors[V]["settings"]],
  VendorSetting
>;
/** The environment variables of all vendors. */
export type SpeechVariable = { [V in SpeechVendorName]: SettingOf<V>["variable"] }[SpeechVendorName];
/** The vendors reached at a network address. */
export type RemoteVendorName = {
  [V in SpeechVendorName]: "http" extends SettingOf<V>["kind"] ? V : never;
}[SpeechVendorName];

type ValueOf<S> = S extends { readonly kind: "whole" }
  ? number
  : S extends { readonly fallback: string }
    ? string
    : string | undefined;
/** The operator's configuration of each vendor; addresses are trusted. */
export type SpeechConfig = {
  readonly [V in SpeechVendorName]: {
    readonly [S in keyof Vendors[V]["settings"]]: ValueOf<Vendors[V]["settings"][S]>;
  };
};

const all: readonly (readonly [string, SpeechVendor])[] = Object.entries(SPEECH_VENDORS);

export function isRecognizer(name: unknown): name is RecognizerName {
  return all.some(([vendor, { stt }]) => vendor === name && stt !== undefined);
}

export function isVoiceProvider(name: unknown): name is VoiceProviderName {
  return all.some(([vendor, { tts }]) => vendor === name && tts !== undefined);
}

const NAMES = Object.keys(SPEECH_VENDORS);
export const STT_VENDORS: readonly RecognizerName[] = NAMES.filter(isRecognizer);
export const TTS_VENDORS: readonly VoiceProviderName[] = NAMES.filter(isVoiceProvider);

/** The settings of all vendors, with the path of each in `SpeechConfig`. */
export function speechSettings(): { vendor: string; name: string; setting: VendorSetting }[] {
  return all.flatMap(([vendor, { settings }]) =>
    Object.entries(settings).map(([name, setting]) => ({ vendor, name, setting })),
  );
}
