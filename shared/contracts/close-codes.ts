/** Why a socket was closed: the code on the wire and its reason phrase (docs/call-socket.md#how-a-socket-ends). */
export const CLOSE = {
  ended: { code: 1000, reason: "the call has ended" },
  protocol: { code: 1002, reason: "this is not the carrier's media protocol" },
  rightEnded: { code: 1008, reason: "the right to watch may have ended, open a new stream" },
  tooLarge: { code: 1009, reason: "message too large" },
  restarting: { code: 1012, reason: "this node restarts, start a new call" },
  overloaded: { code: 1013, reason: "this node is overloaded, try again later" },
  malformed: { code: 4000, reason: "malformed message after a warning" },
  replaced: { code: 4003, reason: "replaced by a resumed socket" },
  noStart: { code: 4008, reason: "no start message within the deadline" },
} as const;

export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE];
