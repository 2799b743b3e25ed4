import fp from "fastify-plugin";

/**
 * Closes each connection with the last answer on it. Node closes the ones that are idle when the server begins to close;
 * one that is being answered then would stay open as long as its client likes, up to the keep-alive time of 72 s, and the
 * process with it.
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
