/** All texts of the widget. */
export interface Words {
  readonly title: string;
  readonly open: string;
  readonly close: string;
  /** A reply arrived while the chat was closed. */
  readonly unread: string;
  readonly conversation: string;
  readonly you: string;
  readonly answer: string;
  readonly writing: string;
  readonly message: string;
  readonly placeholder: string;
  readonly send: string;
  readonly retry: string;
  readonly edit: string;
  readonly newChat: string;
  readonly askNew: string;
  readonly yes: string;
  readonly no: string;
  readonly begun: string;
  readonly anew: string;
  readonly ended: string;
  readonly offline: string;
  readonly tooMany: string;
  readonly unavailable: string;
  readonly refused: string;
  readonly failed: string;
}

const EN: Words = {
  title: "Chat with us",
  open: "Open chat",
  close: "Close chat",
  unread: "New message",
  conversation: "Conversation",
  you: "You",
  answer: "Answer",
  writing: "Writing an answer",
  message: "Your message",
  placeholder: "Write a message",
  send: "Send",
  retry: "Try again",
  edit: "Edit",
  newChat: "New chat",
  askNew: "End this conversation and begin a new one?",
  yes: "End it",
  no: "Cancel",
  begun: "A new conversation has begun.",
  anew: "The previous conversation has ended. This is a new one.",
  ended: "The conversation has ended. Your next message begins a new one.",
  offline: "No connection. Your message was not answered.",
  tooMany: "Too many messages at once. Wait a moment.",
  unavailable: "The chat is not available here right now.",
  refused: "This message could not be sent.",
  failed: "Something went wrong, and there was no answer.",
};

const DE: Words = {
  title: "Chatten Sie mit uns",
  open: "Chat öffnen",
  close: "Chat schließen",
  unread: "Neue Nachricht",
  conversation: "Unterhaltung",
  you: "Sie",
  answer: "Antwort",
  writing: "Eine Antwort wird geschrieben",
  message: "Ihre Nachricht",
  placeholder: "Nachricht schreiben",
  send: "Senden",
  retry: "Erneut versuchen",
  edit: "Bearbeiten",
  newChat: "Neuer Chat",
  askNew: "Diese Unterhaltung beenden und eine neue beginnen?",
  yes: "Beenden",
  no: "Abbrechen",
  begun: "Eine neue Unterhaltung hat begonnen.",
  anew: "Die vorige Unterhaltung ist beendet. Dies ist eine neue.",
  ended: "Die Unterhaltung ist beendet. Ihre nächste Nachricht beginnt eine neue.",
  offline: "Keine Verbindung. Ihre Nachricht wurde nicht beantwortet.",
  tooMany: "Zu viele Nachrichten auf einmal. Bitte warten Sie einen Moment.",
  unavailable: "Der Chat ist hier gerade nicht verfügbar.",
  refused: "Diese Nachricht konnte nicht gesendet werden.",
  failed: "Etwas ist schiefgegangen, es kam keine Antwort.",
};

const FR: Words = {
  title: "Discutez avec nous",
  open: "Ouvrir le chat",
  close: "Fermer le chat",
  unread: "Nouveau message",
  conversation: "Conversation",
  you: "Vous",
  answer: "Réponse",
  writing: "Réponse en cours de rédaction",
  message: "Votre message",
  placeholder: "Écrivez un message",
  send: "Envoyer",
  retry: "Réessayer",
  edit: "Modifier",
  newChat: "Nouvelle conversation",
  askNew: "Terminer cette conversation et en commencer une nouvelle ?",
  yes: "Terminer",
  no: "Annuler",
  begun: "Une nouvelle conversation a commencé.",
  anew: "La conversation précédente est terminée. En voici une nouvelle.",
  ended: "La conversation est terminée. Votre prochain message en commencera une nouvelle.",
  offline: "Pas de connexion. Votre message est resté sans réponse.",
  tooMany: "Trop de messages à la fois. Patientez un instant.",
  unavailable: "Le chat n’est pas disponible ici pour le moment.",
  refused: "Ce message n’a pas pu être envoyé.",
  failed: "Une erreur s’est produite, il n’y a pas eu de réponse.",
};

const ES: Words = {
  title: "Chatee con nosotros",
  open: "Abrir el chat",
  close: "Cerrar el chat",
  unread: "Mensaje nuevo",
  conversation: "Conversación",
  you: "Usted",
  answer: "Respuesta",
  writing: "Escribiendo una respuesta",
  message: "Su mensaje",
  placeholder: "Escriba un mensaje",
  send: "Enviar",
  retry: "Reintentar",
  edit: "Editar",
  newChat: "Nueva conversación",
  askNew: "¿Terminar esta conversación y empezar otra?",
  yes: "Terminar",
  no: "Cancelar",
  begun: "Ha empezado una conversación nueva.",
  anew: "La conversación anterior ha terminado. Esta es nueva.",
  ended: "La conversación ha terminado. Su próximo mensaje empezará otra.",
  offline: "Sin conexión. Su mensaje no ha tenido respuesta.",
  tooMany: "Demasiados mensajes a la vez. Espere un momento.",
  unavailable: "El chat no está disponible aquí en este momento.",
  refused: "No se ha podido enviar este mensaje.",
  failed: "Algo ha salido mal y no ha habido respuesta.",
};

const IT: Words = {
  title: "Chatta con noi",
  open: "Apri la chat",
  close: "Chiudi la chat",
  unread: "Nuovo messaggio",
  conversation: "Conversazione",
  you: "Tu",
  answer: "Risposta",
  writing: "Risposta in corso",
  message: "Il tuo messaggio",
  placeholder: "Scrivi un messaggio",
  send: "Invia",
  retry: "Riprova",
  edit: "Modifica",
  newChat: "Nuova chat",
  askNew: "Terminare questa conversazione e iniziarne una nuova?",
  yes: "Termina",
  no: "Annulla",
  begun: "È iniziata una nuova conversazione.",
  anew: "La conversazione precedente è terminata. Questa è nuova.",
  ended: "La conversazione è terminata. Il tuo prossimo messaggio ne inizierà una nuova.",
  offline: "Nessuna connessione. Il tuo messaggio non ha avuto risposta.",
  tooMany: "Troppi messaggi insieme. Attendi un momento.",
  unavailable: "La chat non è disponibile qui in questo momento.",
  refused: "Non è stato possibile inviare questo messaggio.",
  failed: "Qualcosa è andato storto e non c’è stata risposta.",
};

const NL: Words = {
  title: "Chat met ons",
  open: "Chat openen",
  close: "Chat sluiten",
  unread: "Nieuw bericht",
  conversation: "Gesprek",
  you: "U",
  answer: "Antwoord",
  writing: "Er wordt een antwoord geschreven",
  message: "Uw bericht",
  placeholder: "Schrijf een bericht",
  send: "Versturen",
  retry: "Opnieuw proberen",
  edit: "Bewerken",
  newChat: "Nieuwe chat",
  askNew: "Dit gesprek beëindigen en een nieuw beginnen?",
  yes: "Beëindigen",
  no: "Annuleren",
  begun: "Er is een nieuw gesprek begonnen.",
  anew: "Het vorige gesprek is afgelopen. Dit is een nieuw gesprek.",
  ended: "Het gesprek is afgelopen. Met uw volgende bericht begint een nieuw gesprek.",
  offline: "Geen verbinding. Uw bericht is niet beantwoord.",
  tooMany: "Te veel berichten tegelijk. Wacht even.",
  unavailable: "De chat is hier op dit moment niet beschikbaar.",
  refused: "Dit bericht kon niet worden verstuurd.",
  failed: "Er ging iets mis en er kwam geen antwoord.",
};

const PT: Words = {
  title: "Converse connosco",
  open: "Abrir o chat",
  close: "Fechar o chat",
  unread: "Nova mensagem",
  conversation: "Conversa",
  you: "Você",
  answer: "Resposta",
  writing: "A escrever uma resposta",
  message: "A sua mensagem",
  placeholder: "Escreva uma mensagem",
  send: "Enviar",
  retry: "Tentar de novo",
  edit: "Editar",
  newChat: "Nova conversa",
  askNew: "Terminar esta conversa e começar outra?",
  yes: "Terminar",
  no: "Cancelar",
  begun: "Começou uma nova conversa.",
  anew: "A conversa anterior terminou. Esta é nova.",
  ended: "A conversa terminou. A sua próxima mensagem começa outra.",
  offline: "Sem ligação. A sua mensagem não teve resposta.",
  tooMany: "Demasiadas mensagens de uma vez. Aguarde um momento.",
  unavailable: "O chat não está disponível aqui neste momento.",
  refused: "Não foi possível enviar esta mensagem.",
  failed: "Algo correu mal e não houve resposta.",
};

const LANGUAGES: Readonly<Record<string, Words>> = { en: EN, de: DE, fr: FR, es: ES, it: IT, nl: NL, pt: PT };

export interface Spoken {
  /** BCP 47 tag of the texts, for screen readers. */
  readonly lang: string;
  readonly words: Words;
}

/**
 * Texts of the first supported language in `wanted`, else English. `own` returns the page's replacement for a
 * text, by name.
 */
export function wordsFor(
  wanted: readonly (string | undefined)[],
  own: (name: keyof Words) => string | undefined,
): Spoken {
  const lang = wanted.find((tag) => tag !== undefined && Object.hasOwn(LANGUAGES, primary(tag))) ?? "en";
  const words = LANGUAGES[primary(lang)] ?? EN;
  const names = Object.keys(words) as (keyof Words)[];
  const chosen = names.map((name) => [name, own(name) || words[name]]);
  return { lang, words: Object.fromEntries(chosen) as Record<keyof Words, string> };
}

/** The primary subtag: `pt` of `pt-BR`. */
function primary(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? "";
}
