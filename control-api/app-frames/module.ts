import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "@parley/shared/config/config.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { readBundleFile } from "../apps/bundles/store.ts";
import type { Databases } from "../database/open.ts";
import type { Module } from "../modules/module.ts";
import { createFrameServer } from "./frame-server.ts";
import { appFrameRoutes } from "./routes.ts";

/** The default port; another one is used if it is taken. */
export const STANDARD_FRAMES_PORT = 8092;

export interface AppFramesDeps {
  readonly config: Pick<Config, "http">;
  readonly database: Databases;
  readonly log: Logger;
  readonly pagesDir: string;
  /** The dashboard's base URL as people reach it. */
  readonly baseUrl: () => string;
}

/** The origin of apps, separate from the dashboard's: its own port, or a domain that leads there. */
export function openAppFrames({ config, database, log, pagesDir, baseUrl }: AppFramesDeps): {
  readonly module: Module;
  /** The origin as browsers reach it. */
  readonly origin: () => string;
} {
  const { host, appFramesPort = STANDARD_FRAMES_PORT, appFramesUrl } = config.http;
  // An address or port set by the operator reaches this server only if it listens exactly there.
  const mayMove = config.http.appFramesPort === undefined && appFramesUrl === undefined;
  let port = appFramesPort;
  // A different site than 127.0.0.1, so browsers run its frames in another process.
  const origin = (): string => appFramesUrl ?? `http://localhost:${port}`;
  const server = createFrameServer({
    origin,
    ancestors: () => ancestorsOf(baseUrl(), config.http.publicUrl === undefined),
    pagesDir,
    readFile: (file) => readBundleFile(database, file),
    onError: (error) =>
      log.error({ event: "app_frame_failed", err: error }, "failed to serve an app's frame"),
  });
  return {
    origin,
    module: {
      name: "app-frames",
      routes: (app) => appFrameRoutes(app, { origin }),
      start: async () => {
        await listen(server, { host, port: appFramesPort })
          .catch((error: unknown) => {
            if (!mayMove) throw error;
            return listen(server, { host, port: 0 });
          })
          .catch((cause: unknown) => {
            const message = `Cannot listen on ${host}:${appFramesPort} for the frames of apps. Is the port in use? Set APP_FRAMES_PORT to another.`;
            throw new AppError("unavailable", message, { cause });
          });
        port = (server.address() as AddressInfo).port;
        if (port !== appFramesPort && appFramesPort !== 0)
          log.info({ event: "app_frames_moved", port }, "the usual port for the frames of apps is taken");
      },
      stop: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    },
  };
}

/** Resolves once the server listens; rejects with the system's error. */
async function listen(server: Server, at: { readonly host: string; readonly port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Without a public address people open the dashboard by either name of this machine. */
function ancestorsOf(baseUrl: string, isLocal: boolean): string[] {
  const { origin, port } = new URL(baseUrl);
  return isLocal ? [origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`] : [origin];
}
