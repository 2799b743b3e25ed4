import * as uWS from "uWebSockets.js";

/** The limit: a bare server that sends one frame, and answers the tenth frame it hears with `clear`. */
const FRAME_BYTES = 640;
const FRAMES_UNTIL_CLEAR = 10;

interface Data {
  frames: number;
}

const app = uWS.App();
app.ws<Data>("/*", {
  upgrade: (res, req, context) => {
    const [key = "", protocol = "", extensions = ""] = ["key", "protocol", "extensions"].map((name) =>
      req.getHeader(`sec-websocket-${name}`),
    );
    res.upgrade({ frames: 0 }, key, protocol, extensions, context);
  },
  message: (ws, message, isBinary) => {
    if (isBinary) {
      ws.getUserData().frames += 1;
      if (ws.getUserData().frames === FRAMES_UNTIL_CLEAR) ws.send(JSON.stringify({ type: "clear" }));
    } else if (Buffer.from(message).includes("hangup")) ws.end(1000);
    else ws.send(Buffer.alloc(FRAME_BYTES), true);
  },
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket) console.log(`clearing ready at ws://127.0.0.1:${uWS.us_socket_local_port(socket)}`);
});
