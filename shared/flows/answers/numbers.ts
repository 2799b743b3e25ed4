import { plainWords } from "./words.ts";

/** Spoken numbers in English and German, up to the millions. */

const UNITS: Readonly<Record<string, number>> = {
  ...{
    zero: 0,
    oh: 0,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
  },
  ...{ eleven: 11, twelve: 12, thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17 },
  ...{
    eighteen: 18,
    nineteen: 19,
    null: 0,
    ein: 1,
    eins: 1,
    eine: 1,
    einen: 1,
    zwei: 2,
    zwo: 2,
    drei: 3,
    vier: 4,
  },
  ...{
    funf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
    elf: 11,
    zwolf: 12,
    dreizehn: 13,
    vierzehn: 14,
  },
  ...{ funfzehn: 15, sechzehn: 16, siebzehn: 17, achtzehn: 18, neunzehn: 19 },
};
const TENS: Readonly<Record<string, number>> = {
  ...{ twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 },
  ...{
    zwanzig: 20,
    dreissig: 30,
    vierzig: 40,
    funfzig: 50,
    sechzig: 60,
    siebzig: 70,
    achtzig: 80,
    neunzig: 90,
  },
};
const SCALES: Readonly<Record<string, number>> = {
  ...{
    hundred: 100,
    thousand: 1_000,
    million: 1_000_000,
    hundert: 100,
    tausend: 1_000,
    millionen: 1_000_000,
  },
};
const ORDINALS: Readonly<Record<string, number>> = {
  ...{
    first: 1,
    second: 2,
    third: 3,
    fourth: 4,
    fifth: 5,
    sixth: 6,
    seventh: 7,
    eighth: 8,
    ninth: 9,
    tenth: 10,
  },
  ...{ eleventh: 11, twelfth: 12, thirteenth: 13, fourteenth: 14, fifteenth: 15, sixteenth: 16 },
  ...{ seventeenth: 17, eighteenth: 18, nineteenth: 19, twentieth: 20, thirtieth: 30 },
  ...{ erste: 1, ersten: 1, zweite: 2, zweiten: 2, dritte: 3, dritten: 3, vierte: 4, vierten: 4, funfte: 5 },
  ...{
    funften: 5,
    sechste: 6,
    sechsten: 6,
    siebte: 7,
    siebten: 7,
    achte: 8,
    achten: 8,
    neunte: 9,
    neunten: 9,
  },
  ...{ zehnte: 10, zehnten: 10 },
};

/** The number below a hundred in one word; German puts the ones before the tens. */
function smallNumber(word: string): number | undefined {
  const known = UNITS[word] ?? TENS[word];
  if (known !== undefined) return known;
  const [, ones = "", tens = ""] = /^([a-z]+)und([a-z]+)$/.exec(word) ?? [];
  const [one, ten] = [UNITS[ones], TENS[tens]];
  return one !== undefined && one < 10 && ten !== undefined ? ten + one : undefined;
}

/** The first number in a text's words; "a hundred and five" is 105. */
function wordNumber(words: readonly string[]): number | undefined {
  let [total, current] = [0, 0];
  let isBegun = false;
  for (const word of words) {
    const small = smallNumber(word);
    const scale = SCALES[word];
    if (small !== undefined) {
      // "five six" is two numbers; "twenty five" is one.
      const goesOn =
        !isBegun || current % 100 === 0 || (current % 10 === 0 && current % 100 >= 20 && small < 10);
      if (!goesOn) break;
      current += small;
      isBegun = true;
    } else if (scale !== undefined) {
      current = (current === 0 ? 1 : current) * scale;
      if (scale >= 1_000) [total, current] = [total + current, 0];
      isBegun = true;
    } else if (isBegun && word !== "and" && word !== "und") break;
  }
  return isBegun ? total + current : undefined;
}

/** The number in a text, in figures or in words; undefined when there is none. */
export function numberIn(text: string): number | undefined {
  const figures = /(?<![\d.,])[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|(?<![\d.,])[-−]?\d+(?:[.,]\d+)?/.exec(
    text,
  )?.[0];
  if (figures !== undefined) {
    const isGrouped = /^[-−]?\d{1,3}(,\d{3})+/.test(figures);
    const plain = (isGrouped ? figures.replaceAll(",", "") : figures.replace(",", ".")).replace("−", "-");
    return Number(plain);
  }
  const words = plainWords(text).split(" ");
  const found = wordNumber(words);
  return found !== undefined && words.includes("minus") ? -found : found;
}

/** "the second", "2nd", "twenty first". */
export function ordinalIn(text: string): number | undefined {
  const figures = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)(?!\d)/i.exec(text)?.[1];
  if (figures !== undefined) return Number(figures);
  const words = plainWords(text).split(" ");
  for (const [at, word] of words.entries()) {
    const ordinal = ORDINALS[word];
    if (ordinal === undefined) continue;
    const tens = TENS[words[at - 1] ?? ""];
    return ordinal < 10 && tens !== undefined ? tens + ordinal : ordinal;
  }
  return undefined;
}

/** Collects consecutive digits, in figures or in words: "four two double seven". Skips words in between. */
export function digitsIn(text: string): string {
  const words = plainWords(text).split(" ");
  let digits = "";
  let times = 1;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const repeat = REPEATS[word];
    if (repeat !== undefined) {
      times = repeat;
      continue;
    }
    const [tens, ones] = [TENS[word], UNITS[words[at + 1] ?? ""]];
    const isPair = tens !== undefined && ones !== undefined && ones > 0 && ones < 10;
    const spoken = isPair ? tens + ones : smallNumber(word);
    const number = /^\d+$/.test(word) ? word : spoken?.toString();
    if (isPair) at += 1;
    if (number !== undefined) digits += number.repeat(times);
    times = 1;
  }
  return digits;
}

const REPEATS: Readonly<Record<string, number>> = { double: 2, triple: 3, doppel: 2 };
