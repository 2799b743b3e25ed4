import { describe, expect, it } from "vitest";
import { greetingIn } from "./greeting.ts";

describe("the first words from a phone", () => {
  it.each([
    "Hello, you have reached the voice mail of Ada. Please leave a message after the beep.",
    "Hi, I can’t come to the phone right now.",
    "The person you are calling is not available. At the tone, please record your message.",
    "This mailbox is full.",
    "Leave your name and number and I will call you back",
  ])("%s: voicemail", (text) => expect(greetingIn(text)).toBe("voicemail"));

  it.each([
    "Thank you for calling Acme. For sales, press one. For support, press two.",
    "Press 1 to continue in English",
  ])("%s: a menu", (text) => expect(greetingIn(text)).toBe("ivr"));

  it.each([
    "Please state your name and why you are calling, and I will see if this person is available.",
    "Hi, the person you're calling is using a call screening service.",
  ])("%s: screening", (text) => expect(greetingIn(text)).toBe("screening"));

  it.each([
    "Hello?",
    "Yes, this is Ada.",
    "Who is this?",
    "I am at the office, can you call later?",
    "My press card is two years old.",
    "I'd like to leave at ten.",
  ])("%s: a person", (text) => expect(greetingIn(text)).toBeUndefined());
});
