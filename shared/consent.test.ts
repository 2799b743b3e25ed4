import { expect, it } from "vitest";
import { consentIn } from "./consent.ts";

it.each([
  "Yes.",
  "yes, please",
  "Yeah, go ahead.",
  "Um, yes please do.",
  "Okay.",
  "Sure, thanks",
  "That's right",
  "Go ahead and do it",
  "Ja, bitte.",
  "Ja gerne, machen Sie das",
  "Genau",
  "Oui, d'accord",
  "Sí, por favor",
  "Sì, certo",
  "Ja, graag",
  "Tak",
])("hears a yes in: %s", (said) => {
  expect(consentIn(said)).toBe("yes");
});

it.each([
  "No.",
  "No, thank you",
  "Yes, but not on Tuesday",
  "Don't do that",
  "Wait, stop",
  "Yes, actually make it Friday instead",
  "Nein, lieber nicht",
  "Ja, aber am Freitag",
  "Non merci",
  "Sí, pero mañana",
])("hears a no, or a reservation, in: %s", (said) => {
  expect(consentIn(said)).toBe("no");
});

it.each([
  "",
  "What does it cost?",
  "Okay so what else can you tell me about it",
  "Yes?",
  "I said yes to somebody else on the telephone last week",
  "Yes I would like to know more about the other one first",
  "Wie bitte",
  "Yesterday",
  "Right now",
  "Jana",
])("takes nothing for a yes that is none: %s", (said) => {
  expect(consentIn(said)).not.toBe("yes");
});
