import { FLOW_WORDS } from "./flow-labels.ts";

/** A setting's label and help on the pages; `*` stands for an index in a list. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  /** The unit in which a time in milliseconds is typed and read. */
  readonly unit?: Unit;
}

export type Unit = "ms" | "s" | "min";
export const UNIT_MS: Readonly<Record<Unit, number>> = { ms: 1, s: 1_000, min: 60_000 };

const WORDS: Readonly<Record<string, FieldWords>> = {
  name: { label: "Name", hint: "What your team calls it; callers never hear it." },

  brain: { label: "Brain" },
  "brain.kind": { label: "Kind of brain" },
  "brain.url": { label: "Address" },
  "brain.secret": { label: "Secret" },
  "brain.hasSecret": { label: "Secret" },
  ...FLOW_WORDS,
  "brain.payload": {
    label: "Payload",
    hint: "JSON, sent with every turn beside the call’s variables.",
  },
  "brain.model": { label: "Model", hint: "As the service calls it, for example gpt-4o-mini." },
  "brain.prompt": {
    label: "Prompt",
    hint: "Who the agent is and what it must and must not do. {name} is filled with the variable of that name.",
  },
  "brain.temperature": {
    label: "Temperature",
    hint: "0 is deterministic, 2 is most random. Leave empty for the service’s default.",
  },
  "brain.maxTokens": {
    label: "Maximum answer length",
    hint: "Tokens per answer. Leave empty for the service’s default.",
  },
  "brain.connectTimeoutMs": { label: "Connect timeout", hint: "Then the request fails.", unit: "ms" },
  "brain.firstTokenTimeoutMs": {
    label: "First-token timeout",
    hint: "Retries once, then plays the fallback line.",
    unit: "ms",
  },
  "brain.idleTimeoutMs": {
    label: "Idle timeout",
    hint: "Then the answer ends with what has arrived.",
    unit: "ms",
  },
  "brain.clauseFlushMs": {
    label: "Flush partial clause after",
    hint: "Speaks complete words when no punctuation arrives.",
    unit: "ms",
  },
  "brain.fallbackLine": { label: "Fallback line", hint: "Spoken when the brain fails." },
  "brain.tools": { label: "Tools" },
  "brain.tools.*.kind": { label: "Kind" },
  "brain.tools.*.name": { label: "Name", hint: "What the model calls: letters, digits, _ and -." },
  "brain.tools.*.description": { label: "Description", hint: "Tells the model when to use it." },
  "brain.tools.*.method": { label: "Method" },
  "brain.tools.*.url": {
    label: "Address",
    hint: "{placeholders} in its path or query are filled with variables, else with arguments.",
  },
  "brain.tools.*.parameters": { label: "Arguments", hint: "A JSON Schema, given to the model as it is." },
  "brain.tools.*.headers": {
    label: "Headers",
    hint: "JSON, one header per line. Visible to everyone who can see the agent.",
  },
  "brain.tools.*.timeoutMs": { label: "Timeout", unit: "ms" },
  "brain.tools.*.sendIdentifier": {
    label: "Send who is calling",
    hint: "The trusted identity of the call, as the header X-Service-Identifier.",
  },
  "brain.tools.*.capability": { label: "What it does" },
  "brain.tools.*.connectionId": { label: "Connection", hint: "The account that it acts in." },
  "brain.tools.*.confirm": { label: "Ask the caller first" },
  "brain.tools.*.bind": { label: "Fixed values" },
  "brain.tools.*.config.mcpConnectionId": { label: "Server" },
  "brain.tools.*.config.url": { label: "Server’s URL" },
  "brain.tools.*.config.tool": { label: "Tool" },
  "brain.tools.*.destinations": { label: "Whom to" },
  "brain.tools.*.destinations.*.name": { label: "Called" },
  "brain.tools.*.destinations.*.number": {
    label: "Number",
    hint: "Include the country code, such as +12025550123.",
  },

  tts: { label: "Voice" },
  "tts.*.vendor": { label: "TTS provider" },
  "tts.*.voice": { label: "Voice" },
  "tts.*.model": { label: "Voice model", hint: "Leave empty for the provider’s default." },
  sound: { label: "How it sounds" },
  "sound.speed": {
    label: "Speed",
    hint: "1 is the voice’s own pace. ElevenLabs goes from 0.7 to 1.2; Deepgram and gpt-4o-mini-tts keep their own.",
  },
  "sound.volumeDb": {
    label: "Volume (dB)",
    hint: "0 keeps the provider’s volume; 6 is clearly louder.",
  },
  "sound.background": {
    label: "Background sound",
    hint: "Played softly under the voice and in its pauses for the whole call, as if the agent sat there.",
  },
  "sound.backgroundVolumeDb": {
    label: "Background volume (dB)",
    hint: "0 is about 25 dB below the voice; -10 is barely heard, 6 is clearly louder.",
  },
  stt: { label: "Recognizer" },
  "stt.*.vendor": { label: "Recognizer" },
  "stt.*.model": { label: "Recognizer model", hint: "Leave empty for the provider’s default." },
  "stt.*.language": { label: "Language", hint: "As in en, de or pt-BR." },

  hearing: { label: "Background noise" },
  "hearing.noiseSuppression": {
    label: "Noise suppression",
    hint: "Removes background noise before speech is recognized. Automatic also turns it off while the server is busy.",
  },
  "hearing.vad": {
    label: "Voice detection",
    hint: "The neural model tells voice from music and noise. Automatic uses it unless the server is busy.",
  },

  firstResponse: {
    label: "Opening words",
    hint: "Said when the call is answered. {name} is filled with a variable. Empty: the caller speaks first.",
  },
  variables: { label: "Variables" },
  "variables.*.name": { label: "Name", hint: "Letters, digits and _; used as {name}." },
  "variables.*.description": { label: "What it is" },
  "variables.*.required": { label: "Required: a call without it is refused" },

  turnTaking: { label: "Turn-taking" },
  "turnTaking.endpointing": { label: "End of a turn" },
  "turnTaking.endpointing.minMs": {
    label: "Minimum endpointing delay",
    hint: "Silence before the agent answers a sentence that is surely finished; it never answers sooner. Shorter is faster, and cuts callers off more often.",
    unit: "ms",
  },
  "turnTaking.endpointing.maxMs": {
    label: "Maximum endpointing delay",
    hint: "Silence before the agent answers a sentence that surely goes on; it never waits longer. Callers who pause a lot get more of it.",
    unit: "ms",
  },
  "turnTaking.endpointing.speculative": {
    label: "Preemptive requests",
    hint: "Asks the brain when the turn has probably ended, and drops the answer if the caller continues. Faster, but makes more requests.",
  },
  "turnTaking.endpointing.maxTurnMs": {
    label: "Maximum turn length",
    hint: "The agent answers callers who talk for longer.",
    unit: "s",
  },
  "turnTaking.endpointing.finalTimeoutMs": {
    label: "Final transcript timeout",
    hint: "After this the text so far is used. Without any text the agent says its fallback line.",
    unit: "ms",
  },
  "turnTaking.bargeIn": { label: "Interrupting the agent" },
  "turnTaking.bargeIn.enabled": { label: "Callers may interrupt the agent" },
  "turnTaking.bargeIn.minSpeechMs": {
    label: "Minimum speech to interrupt",
    hint: "Clear voice that lowers the agent’s volume. The agent stops once there are words.",
    unit: "ms",
  },
  "turnTaking.bargeIn.minWords": {
    label: "Minimum words to interrupt",
    hint: "0: one word, or a clear voice that lasts, is enough.",
  },
  "turnTaking.bargeIn.falseAlarmMs": {
    label: "Resume after false alarm",
    hint: "After a sound without words the agent continues where it stopped.",
    unit: "ms",
  },
  "turnTaking.bargeIn.confirmSpeechMs": {
    label: "Confirm interruption after",
    hint: "Clear voice this long stops the agent before its words are known.",
    unit: "ms",
  },
  "turnTaking.thinkingInterruption": { label: "Barge-in while thinking" },
  "turnTaking.thinkingInterruption.enabled": { label: "Callers may add to what they said" },
  "turnTaking.thinkingInterruption.minSpeechMs": {
    label: "Minimum speech",
    hint: "Used only when the speech-to-text provider gives no partial transcripts.",
    unit: "ms",
  },
  "turnTaking.thinkingInterruption.minWords": {
    label: "Minimum words",
    hint: "0: one word is enough.",
  },
  "turnTaking.firstResponseInterruptible": { label: "The opening words can be interrupted" },

  silence: { label: "Silence" },
  "silence.promptAfterMs": {
    label: "Prompt after silence",
    hint: "When neither side speaks. 0 never prompts.",
    unit: "s",
  },
  "silence.prompts": { label: "Prompts", hint: "One per line, asked in turn. Up to 5." },
  "silence.hangupAfterMs": {
    label: "Hang up after",
    hint: "Silence after the last prompt. 0 never hangs up.",
    unit: "s",
  },
  waiting: { label: "Waiting" },
  "waiting.afterMs": {
    label: "Say so after",
    hint: "Counted from the caller’s last word, when nothing of the answer can be heard yet. 0 never says it.",
    unit: "s",
  },
  "waiting.line": {
    label: "What it says",
    hint: "Once a turn; the answer follows. {name} is filled with a variable. The default is spoken in the agent’s language. Empty says nothing.",
  },
  "waiting.againAfterMs": {
    label: "Say it again after",
    hint: "Counted from the line before, for as long as there is no answer. 0 never says it.",
    unit: "s",
  },
  "waiting.againLine": { label: "What it says then", hint: "Empty says nothing." },
  outage: { label: "Outages" },
  "outage.hearingLine": {
    label: "When callers can’t be heard",
    hint: "Said once every speech-to-text provider has failed, and again to callers who keep talking. The default is spoken in the agent’s language. Empty says nothing.",
  },
  "outage.hangupAfterMs": {
    label: "Hang up after",
    hint: "Phone calls only. A pressed key restarts it; the call goes on when a provider is back. 0 never hangs up.",
    unit: "s",
  },
  maxDurationMs: { label: "Maximum duration", hint: "Ends the call.", unit: "min" },
  voicemail: { label: "Voicemail" },
  "voicemail.action": { label: "When a machine answers" },
  "voicemail.message": { label: "Message", hint: "Left after the beep." },
  screening: { label: "Ask callers who they are before they are put through" },
  postCallAnalysis: { label: "Analysis" },
  "postCallAnalysis.enabled": { label: "Analyze calls and chats once they are over" },
  "postCallAnalysis.model": {
    label: "Model",
    hint: "As its service calls it. Empty: Parley’s own analyzer does what it can, in English.",
  },
  "postCallAnalysis.customFields": { label: "Fields" },
  "postCallAnalysis.customFields.*.key": { label: "Key", hint: "What programs read it by." },
  "postCallAnalysis.customFields.*.label": { label: "Label", hint: "For people." },
  "postCallAnalysis.customFields.*.type": { label: "Type" },
  "postCallAnalysis.customFields.*.description": {
    label: "What to look for",
    hint: "All that the model is told of it besides its key.",
  },
  "postCallAnalysis.customFields.*.piiRule": {
    label: "Kept in the vault by",
    hint: "A rule or pattern of the PII policy: personal data is sealed for 30 days, and masked elsewhere.",
  },
  "postCallAnalysis.qaCriteria": { label: "Quality" },
  "postCallAnalysis.qaCriteria.*.key": { label: "Key", hint: "What programs read it by." },
  "postCallAnalysis.qaCriteria.*.description": {
    label: "Criterion",
    hint: "A sentence that is true of a good call.",
  },
  memory: { label: "Memory" },
  "messaging.answerVoiceWithVoice": {
    label: "Answer voice messages with voice messages",
    hint: "On WhatsApp, in this voice. Long answers, and those with a link, are written.",
  },
  "memory.enabled": {
    label: "Remember people from one conversation to the next",
    hint: "What the analysis finds, for this agent alone. People see, correct and delete it under Memory.",
  },
  "memory.forgetAfterDays": { label: "Forget after", hint: "Days." },
  "memory.unverifiedCallers": {
    label: "Also those who are known by the number they call from",
    hint: "Caller numbers can be spoofed: a caller who spoofs one would hear what the agent remembers.",
  },
  rehearsals: { label: "Rehearsals" },
  "rehearsals.scenarios": {
    label: "Scenarios",
    hint: "A JSON list; each has a name, a caller, what tools give, and criteria.",
  },
  "rehearsals.required": {
    label: "Save changes only when rehearsals pass",
    hint: "Applies to the brain, opening words, variables and scenarios. Only owners and admins can turn this off or save anyway.",
  },
  recording: { label: "Record calls", hint: "Audio only. Transcripts are always stored." },
  apiAccess: {
    label: "API access",
    hint: "API keys and client tokens can start calls and chats. When off, only signed-in teammates can.",
  },
};

/** Words for a setting at a path such as `brain.tools.0.name`. An unknown path is its own label. */
export function wordsOf(path: string): FieldWords {
  const pattern = path.replace(/\.\d+(?=\.|$)/g, ".*");
  return WORDS[pattern] ?? { label: path.slice(path.lastIndexOf(".") + 1) };
}

/** A number as people read it; a time is converted to its unit, without the unit's name. */
export function numberText(value: number, unit?: Unit): string {
  const inUnit = unit ? value / UNIT_MS[unit] : value;
  return inUnit.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** A time as people read it. */
export function timeText(ms: number, unit: Unit): string {
  return `${numberText(ms, unit)} ${unit}`;
}
