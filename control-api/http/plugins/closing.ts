import fp from "fastify-plugin";

/**
 * Closes each connection with its last answer. When the server begins to close, Node closes only idle connections; one
 * still being answered would stay open as long as its client likes, up to the keep-alive time of 72 s, and the process
 * with it.
 */
export const closingPlugin = fp(async (app) => {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onResponse", async () => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
  });
});
