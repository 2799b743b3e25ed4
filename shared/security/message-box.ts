import { AppError } from "../errors.ts";
import { SecretBox } from "./secret-box.ts";

/** What a message is about; the sealed text opens as nothing else. */
type Context = `tool-run:${"request" | "reply"}:${string}`;

/** Seals messages between processes with PLAN_KEY: who can read or write Redis can neither read nor make one. */
export class MessageBox {
  readonly #box: SecretBox;

  /** `planKey` as PLAN_KEY has it. Throws `AppError` bad_request when it is wrong. */
  constructor(planKey: string) {
    this.#box = new SecretBox(planKey);
  }

  seal(message: unknown, context: Context): string {
    return this.#box.seal(JSON.stringify(message), context);
  }

  /** What was sealed. Throws `AppError` internal for what was sealed with another key or as something else. */
  open(sealed: string, context: Context): unknown {
    try {
      return JSON.parse(this.#box.open(sealed, context));
    } catch (cause) {
      throw new AppError("internal", "A message on the bus was sealed with another PLAN_KEY.", { cause });
    }
  }
}
