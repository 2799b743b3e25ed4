import { describe, expect, it } from "vitest";
import { greetingIn } from "./greeting.ts";

describe("the first words from a phone", () => {
  it.each([
    "Hello, you have reached the voice mail of Ada. Please leave a message after the beep.",
    "Hi, I can’t come to the phone right now.",
    "The person you are calling is not available. At the tone, please record your message.",
    "This mailbox is full.",
    "Leave your name and number and I will call you back",
    "Guten Tag, dies ist die Mailbox von Ada. Hinterlassen Sie bitte eine Nachricht nach dem Signal.",
    "Bonjour, laissez votre message après le bip.",
    "Ha llamado al buzón de voz de Ada. Deje su mensaje después de la señal.",
  ])("%s: voicemail", (text) => expect(greetingIn(text)).toBe("voicemail"));

  it.each([
    "Thank you for calling Acme. For sales, press one. For support, press two.",
    "Press 1 to continue in English",
    "Für den Vertrieb drücken Sie bitte die Eins.",
    "Para ventas, marque uno.",
    "Pour les ventes, tapez deux.",
  ])("%s: a menu", (text) => expect(greetingIn(text)).toBe("ivr"));

  it.each([
    "Please state your name and why you are calling, and I will see if this person is available.",
    "Hi, the person you're calling is using a call screening service.",
    "Hi, if you record your name and reason for calling, I'll see if this person is available.",
    "The person you're calling is using a screening service from Google. Go ahead and say your name, and why you're calling.",
    "Bitte nennen Sie Ihren Namen und den Grund Ihres Anrufs.",
    "Indiquez votre nom et la raison de votre appel.",
    "Por favor, diga su nombre y el motivo de su llamada.",
  ])("%s: screening", (text) => expect(greetingIn(text)).toBe("screening"));

  it.each([
    "Thanks. Please stay on the line.",
    "One moment, I'll see if they are available.",
    "Bleiben Sie bitte in der Leitung.",
    "Ne quittez pas.",
    "No cuelgue, por favor.",
  ])("%s: patience", (text) => expect(greetingIn(text)).toBe("hold"));

  it.each([
    "Hello?",
    "Yes, this is Ada.",
    "Who is this?",
    "I am at the office, can you call later?",
    "My press card is two years old.",
    "I'd like to leave at ten.",
  ])("%s: a person", (text) => expect(greetingIn(text)).toBeUndefined());
});
