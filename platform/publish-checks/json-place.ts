/** Locates a value in a JSON text; line and column count from 1, as in editors. */
export function placeIn(
  text: string,
  path: readonly (string | number)[],
): { readonly line: number; readonly column: number } {
  const scan = new Scan(text);
  scan.seek(path);
  const before = text.slice(0, scan.at);
  return { line: before.split("\n").length, column: scan.at - before.lastIndexOf("\n") };
}

/** Walks through valid JSON to a value; if it is missing, stops at the innermost existing ancestor. */
class Scan {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#skipSpace();
  }

  seek(path: readonly (string | number)[]): void {
    for (const key of path) if (!this.#enter(key)) return;
  }

  /** Moves to the value of a key or index; stays put when there is none. */
  #enter(wanted: string | number): boolean {
    const start = this.at;
    const isObject = this.#text[start] === "{";
    if (!isObject && this.#text[start] !== "[") return false;
    this.at += 1;
    for (let index = 0; ; index += 1) {
      this.#skipSpace();
      if (this.#text[this.at] === "}" || this.#text[this.at] === "]" || this.at >= this.#text.length) break;
      let key: string | number = index;
      if (isObject) {
        key = JSON.parse(this.#token()) as string;
        this.#skipSpace();
        this.at += 1;
        this.#skipSpace();
      }
      if (String(key) === String(wanted)) return true;
      this.#skipValue();
      this.#skipSpace();
      if (this.#text[this.at] === ",") this.at += 1;
    }
    this.at = start;
    return false;
  }

  #skipValue(): void {
    let depth = 0;
    do {
      this.#skipSpace();
      const mark = this.#text[this.at] ?? "";
      if (mark === '"') this.#token();
      else this.at += 1;
      if (mark === "{" || mark === "[") depth += 1;
      if (mark === "}" || mark === "]") depth -= 1;
      if (depth === 0 && !/[[{"\]}]/.test(mark)) this.#skipLiteral();
    } while (depth > 0 && this.at < this.#text.length);
  }

  #skipLiteral(): void {
    while (this.at < this.#text.length && /[^\s,\]}]/.test(this.#text[this.at] ?? "")) this.at += 1;
  }

  /** Reads the string at this position, quotes included. */
  #token(): string {
    const start = this.at;
    this.at += 1;
    while (this.at < this.#text.length && this.#text[this.at] !== '"')
      this.at += this.#text[this.at] === "\\" ? 2 : 1;
    this.at += 1;
    return this.#text.slice(start, this.at);
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.at] ?? "")) this.at += 1;
  }
}
