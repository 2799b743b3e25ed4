const LINK = /!?\[([^\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)/g;
const CODE_FENCE = /`{3,}[\w+-]*(?=\s|$)/g;
const RULE_OR_TABLE_LINE = /\n[-*_|: ]{3,}(?=\n|$)/g;
/** Headings, bullets and block quotes; the line break before them tells them from a minus or a number sign. */
const LINE_MARK = /\n(?:(?:#{1,6}|[-*+•‣◦])\s+|>\s?)+/g;
const DOUBLE_EMPHASIS = /\*\*|__|~~/g;
/** A single star or underscore, unless it multiplies ("2*3", "2 * 3") or joins ("snake_case"). */
const EMPHASIS_STAR = /(?<![\s\p{N}])\*|\*(?![\s\p{N}])|(?<!\p{N})\*(?=\p{N})|(?<=\p{N})\*(?=\s)/gu;
const EMPHASIS_UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const CELL_BORDER = /\|/g;
/** Pictures with their skin tones, joiners and flags; © ® ™ are letters to a voice and stay. */
const EMOJI =
  /[^\S\n]?(?:(?![©®™‼⁉])\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u200D\uFE0F\u20E3])+/gu;

/**
 * What a voice should say of `text`: markdown and emoji are taken out, links keep their words, white
 * space becomes single blanks. A line mark is one only behind a line break.
 */
export function stripMarkup(text: string): string {
  return text
    .replace(LINK, "$1")
    .replace(CODE_FENCE, " ")
    .replace(RULE_OR_TABLE_LINE, "\n")
    .replace(LINE_MARK, "\n")
    .replace(DOUBLE_EMPHASIS, "")
    .replace(EMPHASIS_STAR, "")
    .replace(EMPHASIS_UNDERSCORE, "")
    .replaceAll("`", "")
    .replace(CELL_BORDER, " ")
    .replace(EMOJI, "")
    .replace(/\s+/g, " ")
    .trim();
}
