import type { PiiPolicy, PiiRule } from "../contracts/pii.ts";
import { cardNumbers } from "./card-number.ts";
import { emails } from "./email.ts";
import { nationalIds } from "./national-id.ts";
import { ownPattern } from "./own-pattern.ts";
import { phoneNumbers } from "./phone.ts";
import { type Finder, replaceSpans, type Span } from "./spans.ts";

const FINDERS: Readonly<Record<PiiRule, (mask: string, country: string) => Finder>> = {
  card_number: cardNumbers,
  email: emails,
  phone: phoneNumbers,
  national_id: nationalIds,
};
/** Maximum nesting of tools' arguments and results; deeper values are omitted. */
const MAX_DEPTH = 32;

/** Masks what an organization's policy names. Pure; takes time linear in its input. */
export class Scrubber {
  readonly #finders: readonly Finder[];

  constructor({ country, rules, patterns }: PiiPolicy) {
    this.#finders = [
      ...rules.map(({ rule, mask }) => FINDERS[rule](mask ?? `[${rule}]`, country)),
      ...patterns.map(({ name, pattern, mask }) =>
        ownPattern(pattern, mask ?? `[${name.replaceAll(/\d/g, "")}]`),
      ),
    ];
  }

  /** Everything in `text` that must not be kept. */
  find(text: string): Span[] {
    return this.#finders.flatMap((finder) =>
      finder.find(text).map((span) => ({ ...span, mask: finder.mask })),
    );
  }

  /** The end of `text` that later words could complete to something sensitive; undefined when there is none. */
  findOpen(text: string): Span | undefined {
    const open = this.#finders
      .map((finder) => ({ start: finder.openFrom(text), end: text.length, mask: finder.mask }))
      .filter(({ start }) => start < text.length);
    return open.toSorted((a, b) => a.start - b.start)[0];
  }

  /** Returns `text` with masks in place of what must not be kept. */
  text(text: string): string {
    return replaceSpans(text, this.find(text));
  }

  /** Masks the string values of JSON; names and numbers stay (docs/webhooks.md#the-events). */
  json(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.map((item: unknown) => this.json(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.json(item, depth + 1)]),
    );
  }
}
