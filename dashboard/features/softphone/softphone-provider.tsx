import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import type { DeviceSession } from "@parley/shared/contracts/softphones.ts";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Session } from "../../api/session.ts";
import { useLoadedOnce } from "../../api/use-loaded-once.ts";
import { type Here, useHere, useSession } from "../../api/use-session.ts";
import { mayCall } from "./may-call.ts";
import { ring } from "./ringer.ts";
import type { ConnectedLine } from "./softphone-call.ts";
import { type PhoneActions, SoftphoneContext } from "./softphone-context.ts";
import { isBusy, type Line, type SoftphoneView } from "./softphone-view.ts";
import { useAudioDevices } from "./use-audio-devices.ts";
import { useIncoming } from "./use-incoming.ts";
import { type LineActions, useLine } from "./use-line.ts";
import { type OwnCalls, useOwnCalls, useOwnNumbers } from "./use-own-calls.ts";

/** Provides the softphone to every page. */
export function SoftphoneProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const here = useHere();
  const isCaller = mayCall(here);
  const isLoaded = useLoadedOnce();
  const devices = useAudioDevices();
  const { view, actions: line, levels } = useLine(devices);
  const own = useOwnCalls(sessionHere(view));
  const numbers = useOwnNumbers();
  const incoming = useIncoming(isCaller && isLoaded ? session : undefined, here.org.id);
  const actions = usePhoneActions({
    session,
    here,
    line,
    view,
    from: numbers.from,
    own,
    forget: incoming.forget,
  });
  useSignals(view, incoming.calls.length > 0, devices.speakerId);
  useAfterwards(view, { own, refresh: devices.refresh });
  const softphone = { mayCall: isCaller, view, levels, actions, devices, incoming, own, numbers };
  return <SoftphoneContext value={softphone}>{children}</SoftphoneContext>;
}

/** The session of a call this page is on, or has ended: taking it over makes no sense. */
function sessionHere({ phase, line }: SoftphoneView): string | undefined {
  const isElsewhere = phase.at === "failed" || (phase.at === "ended" && phase.reason === "replaced");
  return isElsewhere ? undefined : line?.sessionId;
}

interface ActionParts {
  readonly session: Session;
  readonly here: Here;
  readonly line: LineActions;
  readonly view: SoftphoneView;
  readonly from: string | undefined;
  readonly own: OwnCalls;
  readonly forget: (sessionId: string) => void;
}

function usePhoneActions(parts: ActionParts): PhoneActions {
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });
  const { line } = parts;
  return useMemo<PhoneActions>(() => {
    const post = <T,>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> => {
      const { session, here } = latest.current;
      const { id: orgId } = here.org;
      return session.call<T>(path, { body, orgId, ...(headers ? { headers } : {}) });
    };
    const of = (sessionId: string, verb: string): string => `/api/sessions/${sessionId}/${verb}`;
    const begin = (
      about: Line,
      connect: () => Promise<Placed>,
      more: Pick<Begin, "answeredAtMs" | "without" | "isInstead"> = {},
    ) =>
      line.begin({
        line: about,
        ...more,
        connect: async () => connected(await connect(), about.direction),
        whyEnded: (sessionId) => {
          const { session, here } = latest.current;
          const path = `/api/orgs/${here.org.id}/calls/${sessionId}`;
          return reasonOfEnd(() => session.call<CallDetail>(path, { method: "GET", orgId: here.org.id }));
        },
      });
    return {
      ...line,
      dial: (to, without) => {
        const { from } = latest.current;
        const headers = onePress();
        const about = { direction: "outbound", number: to, ownNumber: from, sessionId: undefined } as const;
        begin(about, () => post("/api/sessions/init-manual-call", { to, from }, headers), { without });
      },
      answer: ({ sessionId, fromNumber, toNumber }) => {
        latest.current.forget(sessionId);
        const about = { direction: "inbound", number: fromNumber, ownNumber: toNumber, sessionId } as const;
        const headers = onePress();
        begin(about, () => post(of(sessionId, "answer"), undefined, headers));
      },
      endAndAnswer: async ({ sessionId, fromNumber, toNumber }) => {
        // Answers before ending the current call: another device may have been faster.
        const seat = await post<Placed>(of(sessionId, "answer"), undefined, onePress());
        latest.current.forget(sessionId);
        const about = { direction: "inbound", number: fromNumber, ownNumber: toNumber, sessionId } as const;
        // The caller is on the line and rings nowhere else, so connect even if the microphone fails.
        begin(about, async () => seat, { isInstead: true, without: "listen" });
      },
      decline: async ({ sessionId }) => {
        await post(of(sessionId, "decline"));
        latest.current.forget(sessionId);
      },
      takeOver: (sessionId) => {
        const call = latest.current.own.elsewhere.find((each) => each.sessionId === sessionId);
        if (!call) return;
        const direction = call.direction === "inbound" ? "inbound" : "outbound";
        const [number, ownNumber] =
          direction === "inbound" ? [call.fromNumber, call.toNumber] : [call.toNumber, call.fromNumber];
        const about = {
          direction,
          number: number ?? "",
          ownNumber: ownNumber ?? undefined,
          sessionId,
        } as const;
        const answeredAtMs = call.startTime === null ? undefined : Date.parse(call.startTime);
        begin(about, () => post(of(sessionId, "attach")), { answeredAtMs });
      },
      transfer: async (to) => {
        const sessionId = latest.current.view.line?.sessionId ?? "";
        await post(of(sessionId, "transfer"), { to });
        line.transferring(to);
      },
    };
  }, [line]);
}

/** An idempotency key per press: a retry after a broken connection neither dials nor answers twice. */
function onePress(): Record<string, string> {
  return { "idempotency-key": `softphone-${Date.now()}-${Math.random().toString(36).slice(2)}` };
}

/** Why a finished call ended, by its status. */
const REASON_OF: Readonly<Record<string, string>> = {
  busy: "busy",
  "no-answer": "no_answer",
  failed: "carrier_failed",
  canceled: "api_request",
  completed: "hangup",
};

const LOOKS = 4;
const LOOK_AGAIN_MS = 400;

/** Polls, as the record lags a little; undefined while the call goes on. */
async function reasonOfEnd(read: () => Promise<CallDetail>): Promise<string | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    const reason = REASON_OF[(await read()).status];
    if (reason !== undefined) return reason;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return undefined;
}

type Placed = Pick<DeviceSession, "sessionId" | "websocketUrl" | "fromNumber" | "toNumber">;
type Begin = Parameters<LineActions["begin"]>[0];

function connected(
  { sessionId, websocketUrl, fromNumber, toNumber }: Placed,
  direction: Line["direction"],
): ConnectedLine {
  const [number, ownNumber] = direction === "inbound" ? [fromNumber, toNumber] : [toNumber, fromNumber];
  return { websocketUrl, line: { direction, number, ownNumber, sessionId } };
}

/** Plays ringing signals for outgoing and incoming calls. */
function useSignals(view: SoftphoneView, isCalled: boolean, speakerId: string | undefined): void {
  const rings = view.phase.at === "ringing" && view.line?.direction === "outbound";
  useEffect(() => (rings ? ring("ringback", speakerId) : undefined), [rings, speakerId]);
  const isFree = !isBusy(view);
  useEffect(
    () => (isCalled ? ring(isFree ? "incoming" : "waiting", speakerId) : undefined),
    [isCalled, isFree, speakerId],
  );
}

/** Refreshes what a call changes: device names once one is open, and the list of calls afterwards. */
function useAfterwards(
  { phase }: SoftphoneView,
  { own, refresh }: { own: OwnCalls; refresh: () => void },
): void {
  const { reload } = own;
  const { at } = phase;
  useEffect(() => {
    if (at === "live" || at === "no-microphone") refresh();
    if (at !== "preparing" && at !== "resuming") void reload();
  }, [at, refresh, reload]);
}
