/** What an agent says on its own unless its owner wrote something else. */
interface DefaultLines {
  /** Spoken when the brain gave no answer, or when the caller was not understood. */
  readonly fallback: string;
  readonly waiting: string;
  readonly waitingAgain: string;
  /** Spoken when the caller cannot be heard. */
  readonly hearing: string;
  /** Spoken to a silent caller. */
  readonly silence: string;
}

/** By language (ISO 639-1). An agent's settings show the English ones. */
const LINES = {
  en: {
    fallback: "Sorry, I did not get that. Could you say it again?",
    waiting: "One moment, please.",
    waitingAgain: "I'm still on it, thank you for waiting.",
    hearing: "I'm sorry, I can't hear you right now because of a technical problem. Please try again later.",
    silence: "Are you still there?",
  },
  de: {
    fallback: "Entschuldigung, das habe ich nicht verstanden. Können Sie das bitte wiederholen?",
    waiting: "Einen Moment, bitte.",
    waitingAgain: "Ich bin noch dabei, danke für Ihre Geduld.",
    hearing:
      "Es tut mir leid, ich kann Sie wegen eines technischen Problems gerade nicht hören. Bitte versuchen Sie es später noch einmal.",
    silence: "Sind Sie noch da?",
  },
  es: {
    fallback: "Perdone, no le he entendido. ¿Puede repetirlo, por favor?",
    waiting: "Un momento, por favor.",
    waitingAgain: "Sigo en ello, gracias por esperar.",
    hearing:
      "Lo siento, ahora mismo no puedo oírle por un problema técnico. Por favor, inténtelo de nuevo más tarde.",
    silence: "¿Sigue usted ahí?",
  },
  fr: {
    fallback: "Excusez-moi, je n'ai pas compris. Pouvez-vous répéter, s'il vous plaît?",
    waiting: "Un instant, s'il vous plaît.",
    waitingAgain: "Je m'en occupe toujours, merci de patienter.",
    hearing:
      "Veuillez m'excuser, je ne peux pas vous entendre en raison d'un problème technique. Veuillez réessayer plus tard.",
    silence: "Êtes-vous toujours là?",
  },
  it: {
    fallback: "Mi scusi, non ho capito. Può ripetere, per favore?",
    waiting: "Un momento, per favore.",
    waitingAgain: "Ci sto ancora lavorando, grazie per l'attesa.",
    hearing:
      "Mi dispiace, in questo momento non riesco a sentirla per un problema tecnico. La prego di riprovare più tardi.",
    silence: "È ancora in linea?",
  },
  hi: {
    fallback: "क्षमा करें, मुझे समझ नहीं आया। कृपया फिर से कहिए।",
    waiting: "कृपया एक क्षण रुकिए।",
    waitingAgain: "काम अभी जारी है, प्रतीक्षा करने के लिए धन्यवाद।",
    hearing: "क्षमा करें, तकनीकी समस्या के कारण आपकी आवाज़ अभी सुनाई नहीं दे रही है। कृपया बाद में फिर कोशिश करें।",
    silence: "क्या आप अभी भी लाइन पर हैं?",
  },
} as const satisfies Record<string, DefaultLines>;

export const DEFAULT_LINES: DefaultLines = LINES.en;

/** Returns `line` unchanged or, if it is a default line, its translation for a supported language (BCP 47). */
export function inLanguage(line: string, language: string): string {
  const [primary = ""] = language.toLowerCase().split("-");
  const lines: DefaultLines | undefined = Object.entries(LINES).find(([name]) => name === primary)?.[1];
  const which = (Object.keys(DEFAULT_LINES) as (keyof DefaultLines)[]).find(
    (name) => DEFAULT_LINES[name] === line,
  );
  return which === undefined ? line : (lines ?? DEFAULT_LINES)[which];
}
