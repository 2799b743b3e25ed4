import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";

/**
 * A simulated caller: the ending of their number, and their behavior once answered
 * (docs/phones.md#the-loopback-numbers).
 */
interface SimulatedPhone {
  readonly ending: string;
  readonly name: string;
  readonly does: string;
}

/** Callers. Endings that only define how a phone is answered (busy, no answer, refused) call like any other. */
export const SIMULATED_PHONES: readonly SimulatedPhone[] = [
  {
    ending: "00",
    name: "Asks something",
    does: "Waits for the first words, asks for the opening hours, stays.",
  },
  {
    ending: "03",
    name: "Answering machine",
    does: "Speaks at once: a greeting and a beep, then it listens.",
  },
  { ending: "04", name: "Presses keys", does: "Waits for the first words, presses 42#, stays on the line." },
  { ending: "05", name: "Hangs up at once", does: "Is gone half a second after the answer." },
  { ending: "07", name: "Says goodbye", does: "Waits for the first words, says goodbye, hangs up." },
  { ending: "08", name: "Call screening", does: "Asks at once who calls and why, then a person comes." },
  {
    ending: "09",
    name: "Plays your latest track",
    does: "Waits for the first words, plays the WAV file uploaded last, hangs up.",
  },
];

const ANY = SIMULATED_PHONES[0];

/** The simulated phone for a caller's number; any other text gets the default phone. */
export function phoneOf(number: string): SimulatedPhone | undefined {
  const digits = number.replace(/\D/g, "");
  return SIMULATED_PHONES.find(({ ending }) => digits.endsWith(ending)) ?? ANY;
}

/** Replaces a number's ending. */
export function withEnding(number: string, ending: string): string {
  return number.replace(/\d\D*\d\D*$/, ending);
}

/** Whether simulated phones can call the number. */
export function isSimulated({ carrier }: Pick<PhoneNumber, "carrier">): boolean {
  return carrier === "loopback";
}
