const HUES = 6;

/** Two letters on a derived color instead of a vendor's logo, so nothing loads from third parties. */
export function Logo({ name }: { readonly name: string }) {
  return (
    <span className={`logo logo-${hueOf(name)}`} aria-hidden="true">
      {lettersOf(name)}
    </span>
  );
}

/** The initials of two words, or the first letters of a single word. */
export function lettersOf(name: string): string {
  const [first = "", second = ""] = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const letters = second === "" ? first.slice(0, 2) : `${first.slice(0, 1)}${second.slice(0, 1)}`;
  return `${letters.slice(0, 1).toUpperCase()}${letters.slice(1)}`;
}

function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum += letter.codePointAt(0) ?? 0;
  return sum % HUES;
}
