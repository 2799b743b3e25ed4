import { AppError } from "../errors.ts";
import { SecretBox } from "./secret-box.ts";

/** The subject of a message; sealed text opens only with the same one. */
type Context = `tool-run:${"request" | "reply"}:${string}`;

/** Seals messages between processes with PLAN_KEY: access to Redis alone is not enough to read or forge one. */
export class MessageBox {
  readonly #box: SecretBox;

  /** `planKey` has the format of PLAN_KEY. Throws `AppError` bad_request when it is invalid. */
  constructor(planKey: string) {
    this.#box = new SecretBox(planKey);
  }

  seal(message: unknown, context: Context): string {
    return this.#box.seal(JSON.stringify(message), context);
  }

  /** Opens a sealed message. Throws `AppError` internal when it was sealed with another key or context. */
  open(sealed: string, context: Context): unknown {
    try {
      return JSON.parse(this.#box.open(sealed, context));
    } catch (cause) {
      throw new AppError("internal", "A message on the bus was sealed with another PLAN_KEY.", { cause });
    }
  }
}
