import * as uWS from "uWebSockets.js";
import { stampedFrame } from "./frame.ts";

/**
 * The limit: a bare uWebSockets.js server that publishes its own frames to all connections. No Redis, no
 * tickets, no check for slow readers.
 */
const TOPIC = "frames";
const [everyMs = ""] = process.argv.slice(2);
let number = 0;

const app = uWS.App();
app.ws<object>("/*", {
  open: (ws) => {
    ws.subscribe(TOPIC);
  },
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket) console.log(`topic ready at ws://127.0.0.1:${uWS.us_socket_local_port(socket)}`);
});
setInterval(() => {
  if (app.numSubscribers(TOPIC) > 0) app.publish(TOPIC, stampedFrame("ses_limit", number++));
}, Number(everyMs));
process.once("SIGTERM", () => process.exit(0));
