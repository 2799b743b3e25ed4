import type { AddressInfo } from "node:net";
import type { Config } from "@parley/shared/config/config.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { readBundleFile } from "../apps/bundles/store.ts";
import type { Databases } from "../database/open.ts";
import type { Module } from "../modules/module.ts";
import { createFrameServer } from "./frame-server.ts";
import { appFrameRoutes } from "./routes.ts";

export interface AppFramesDeps {
  readonly config: Pick<Config, "http">;
  readonly database: Databases;
  readonly log: Logger;
  readonly pagesDir: string;
  /** As people reach the dashboard. */
  readonly baseUrl: () => string;
}

/** The origin that apps run on, beside the dashboard's: a port of its own, which a domain of its own leads to. */
export function openAppFrames({ config, database, log, pagesDir, baseUrl }: AppFramesDeps): {
  readonly module: Module;
  /** As browsers reach it. */
  readonly origin: () => string;
} {
  const { host, appFramesPort, appFramesUrl } = config.http;
  let port = appFramesPort;
  // Another site than 127.0.0.1: browsers give its frames a process of their own.
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
        await new Promise<void>((resolve, reject) => {
          server.once("error", reject);
          server.listen(appFramesPort, host, resolve);
        }).catch((cause: unknown) => {
          const message = `${host}:${appFramesPort} cannot be listened on; is it in use? APP_FRAMES_PORT names another.`;
          throw new AppError("unavailable", message, { cause });
        });
        port = (server.address() as AddressInfo).port;
      },
      stop: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    },
  };
}

/** Without a public address people open the dashboard by either name of this machine. */
function ancestorsOf(baseUrl: string, isLocal: boolean): string[] {
  const { origin, port } = new URL(baseUrl);
  return isLocal ? [origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`] : [origin];
}
