import * as uWS from "uWebSockets.js";
import { createServer } from "node:net";
import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import { CorkAnchor } from "./cork-anchor.ts";
import { addHttpRoutes, type HttpRoutes } from "./http-routes.ts";
import type { SocketRoute } from "./socket-port.ts";
import { SocketSlots } from "./socket-slots.ts";
import { pathAddress, queryAddress, type SocketLimits, socketBehavior } from "./websocket.ts";

const ANCHOR_TOKEN_BYTES = 16;
/** A close frame in flight must arrive before the connection goes. */
const CLOSE_GRACE_MS = 2_000;
/** uWS counts a socket as closed once its close frame is written, rather than when it was read. */
const LINGER_MS = 250;
/** Maximum number of sockets per route; 5,000 idle ones cost about 50 MB. */
const MAX_SOCKETS_PER_ROUTE = 20_000;

export interface ServerDeps extends HttpRoutes {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly limits: SocketLimits;
  readonly calls: SocketRoute;
  readonly streams: SocketRoute;
  readonly media: SocketRoute;
  readonly onRefused: (reason: string) => void;
  readonly onCallSockets: (change: 1 | -1) => void;
  readonly onWatchers: (change: 1 | -1) => void;
  readonly log: Logger;
}

export interface RunningServer {
  readonly port: number;
  /** Takes no more connections; existing ones stay. */
  stopListening(): void;
  /** Briefly lets closing sockets finish, then closes every connection. */
  close(): Promise<void>;
}

/** Starts the gateway's HTTP and websocket server. */
export async function startServer(deps: ServerDeps): Promise<RunningServer> {
  const app = uWS.App();
  const { limits, onRefused, log } = deps;
  const anchor = new CorkAnchor();
  const anchorToken = randomToken(ANCHOR_TOKEN_BYTES);
  anchor.addRoute(app, anchorToken);
  const common = { limits, onRefused, log, anchor, readAddress: queryAddress };
  const maxSockets = limits.maxSocketsPerRoute ?? MAX_SOCKETS_PER_ROUTE;
  const callSlots = new SocketSlots(maxSockets);
  const streamSlots = new SocketSlots(maxSockets);
  const mediaSlots = new SocketSlots(maxSockets);
  app.ws(
    "/v1/calls/:sessionId",
    socketBehavior({ ...common, route: deps.calls, slots: callSlots, onCount: deps.onCallSockets }),
  );
  app.ws(
    "/v1/streams/:sessionId",
    socketBehavior({ ...common, route: deps.streams, slots: streamSlots, onCount: deps.onWatchers }),
  );
  app.ws(
    "/v1/media/:carrier/:sessionId/:ticket",
    socketBehavior({
      ...common,
      readAddress: pathAddress,
      route: deps.media,
      slots: mediaSlots,
      onCount: deps.onCallSockets,
    }),
  );
  addHttpRoutes(app, deps);
  const listenSocket = await listen(app, deps.host, deps.port);
  const port = uWS.us_socket_local_port(listenSocket);
  await anchor.drop({ host: deps.host, port }, anchorToken);
  let isListening = true;
  const stopListening = (): void => {
    if (!isListening) return;
    isListening = false;
    uWS.us_listen_socket_close(listenSocket);
  };
  return {
    port,
    stopListening,
    close: async () => {
      stopListening();
      await Promise.all([callSlots, streamSlots, mediaSlots].map((slots) => slots.untilNone(CLOSE_GRACE_MS)));
      await new Promise((resolve) => setTimeout(resolve, LINGER_MS));
      anchor.weigh();
      app.close();
    },
  };
}

async function listen(app: uWS.TemplatedApp, host: string, port: number): Promise<uWS.us_listen_socket> {
  if (port !== 0) await assertPortIsFree(host, port);
  return new Promise((resolve, reject) => {
    app.listen(host, port, (socket) => {
      if (socket) resolve(socket);
      else reject(new AppError("unavailable", `${host}:${port} cannot be listened on.`));
    });
  });
}

/** uWS shares a port that is already in use; two gateways on one port would each get half the calls. */
function assertPortIsFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (cause) => {
      reject(new AppError("unavailable", `${host}:${port} cannot be listened on; is it in use?`, { cause }));
    });
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}
