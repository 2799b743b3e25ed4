const LINK = /!?\[([^\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)/g;
const CODE_FENCE = /`{3,}[\w+-]*(?=\s|$)/g;
const RULE_OR_TABLE_LINE = /\n[-*_|: ]{3,}(?=\n|$)/g;
/** Headings, bullets and block quotes; the line break before them excludes minus and number signs. */
const LINE_MARK = /\n(?:(?:#{1,6}|[-*+•‣◦])\s+|>\s?)+/g;
/** "## Title ##": the marks after a heading; a single one is a key or a number sign. */
const HEADING_END = /(?<=\n#{1,6}\s[^\n]*)\s+#+(?=\s*(?:\n|$))|\s+#{2,6}(?=\s*(?:\n|$))/g;
/** Stars and underscores that do not mark emphasis: "x**2", "*.py", "snake___case". */
const KEPT_MARKS =
  /(?<=[A-Za-z\d)])\*\*(?=\d|[A-Za-z](?![A-Za-z]))|(?<![^\s(])\*(?=\.[A-Za-z])|(?<=[\p{L}\p{N}])_{2,}(?=[\p{L}\p{N}])/gu;
/** Private-use placeholders for kept marks until all others are removed. */
const KEPT_STAR = "\uE000";
const KEPT_UNDERSCORE = "\uE001";
const DOUBLE_EMPHASIS = /\*\*|__|~~/g;
/** A single star or underscore, unless it multiplies ("2*3", "2 * 3") or joins ("snake_case"). */
const EMPHASIS_STAR = /(?<![\s\p{N}])\*|\*(?![\s\p{N}])|(?<!\p{N})\*(?=\p{N})|(?<=\p{N})\*(?=\s)/gu;
const EMPHASIS_UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const CELL_BORDER = /\|/g;
/** Emoji with their skin tones, joiners and flags; © ® ™ stay because a voice can read them. */
const EMOJI =
  /[^\S\n]?(?:(?![©®™‼⁉])\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u200D\uFE0F\u20E3])+/gu;

/**
 * Returns what a voice should say of `text`, without markdown and emoji: links keep their words, and white space
 * becomes single blanks. A line mark only counts after a line break.
 */
export function stripMarkup(text: string): string {
  return text
    .replace(LINK, "$1")
    .replace(CODE_FENCE, " ")
    .replace(RULE_OR_TABLE_LINE, "\n")
    .replace(HEADING_END, "")
    .replace(LINE_MARK, "\n")
    .replace(KEPT_MARKS, (marks) => marks.replaceAll("*", KEPT_STAR).replaceAll("_", KEPT_UNDERSCORE))
    .replace(DOUBLE_EMPHASIS, "")
    .replace(EMPHASIS_STAR, "")
    .replace(EMPHASIS_UNDERSCORE, "")
    .replaceAll(KEPT_STAR, "*")
    .replaceAll(KEPT_UNDERSCORE, "_")
    .replaceAll("`", "")
    .replace(CELL_BORDER, " ")
    .replace(EMOJI, "")
    .replace(/\s+/g, " ")
    .trim();
}
