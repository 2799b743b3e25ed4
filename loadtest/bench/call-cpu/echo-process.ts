import * as uWS from "uWebSockets.js";

/**
 * The limit: a bare uWebSockets.js server that only echoes frames. It drops every fourth one, because an
 * agent also pauses: both send the same number.
 */
const FRAMES_A_CYCLE = 4;

interface Data {
  frames: number;
}

const app = uWS.App();
app.ws<Data>("/*", {
  upgrade: (res, req, context) => {
    const [key, protocol, extensions] = ["key", "protocol", "extensions"].map((name) =>
      req.getHeader(`sec-websocket-${name}`),
    ) as [string, string, string];
    res.upgrade({ frames: 0 }, key, protocol, extensions, context);
  },
  message: (ws, message, isBinary) => {
    if (!isBinary) {
      if (Buffer.from(message).includes("hangup")) ws.end(1000);
      else ws.send(JSON.stringify({ type: "ready", recognition: "server" }));
      return;
    }
    const data = ws.getUserData();
    if (data.frames++ % FRAMES_A_CYCLE !== 0) ws.send(message, true);
  },
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket) console.log(`echo ready at ws://127.0.0.1:${uWS.us_socket_local_port(socket)}`);
});
