const BACKCHANNELS = new Set(["uh-huh", "mm", "mhm", "okay", "right"]);

/** True when `text` only tells the speaker to go on. */
export function isBackchannel(text: string): boolean {
  return BACKCHANNELS.has(
    text
      .trim()
      .toLowerCase()
      .replace(/[.,!]+$/, ""),
  );
}
