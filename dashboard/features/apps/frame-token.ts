import type { AppFrame } from "@parley/shared/contracts/apps.ts";
import type { Session } from "../../api/session.ts";

/** A token about to expire is not worth a request. */
const EARLY_MS = 60_000;

export interface FrameOf {
  readonly orgId: string;
  readonly appId: string;
  readonly pageId: string;
  /** Whether the script comes from a development server. */
  readonly preview: boolean;
}

/** Opens a frame with the API; returns its initial state and the token for its calls. Throws `ApiError`. */
export function openFrame(session: Session, { orgId, appId, ...page }: FrameOf): Promise<AppFrame> {
  return session.call<AppFrame>(`/api/orgs/${orgId}/apps/${appId}/frames`, { orgId, body: page });
}

/** A frame's token, renewed before it expires. Only the host holds it, never the frame. */
export class FrameToken {
  readonly #session: Session;
  readonly #frame: FrameOf;
  #current: Promise<Pick<AppFrame, "token" | "expiresAt">>;

  constructor(session: Session, frame: FrameOf, opened: AppFrame) {
    this.#session = session;
    this.#frame = frame;
    this.#current = Promise.resolve(opened);
  }

  /** Throws `ApiError`, for example when the app was uninstalled meanwhile. */
  async get(): Promise<string> {
    const known = this.#current;
    const { token, expiresAt } = await known;
    if (Date.parse(expiresAt) - Date.now() > EARLY_MS) return token;
    // The first caller renews the token; the others await the same request.
    if (this.#current === known) {
      this.#current = openFrame(this.#session, this.#frame);
      this.#current.catch(() => {
        this.#current = known;
      });
    }
    return (await this.#current).token;
  }
}
