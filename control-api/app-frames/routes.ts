import { appFramesResponseSchema } from "@parley/shared/contracts/app-frames.ts";
import { SIGNED_IN } from "../http/access/rules.ts";
import { type Api, responses, success, USER_SECURITY } from "../http/routes.ts";

/** `/api/apps/frames`: where the dashboard finds the frames of apps. */
export function appFrameRoutes(app: Api, { origin }: { readonly origin: () => string }): void {
  app.get(
    "/api/apps/frames",
    {
      config: { access: SIGNED_IN },
      schema: {
        tags: ["apps"],
        security: USER_SECURITY,
        summary: "Read the origin that the frames of apps are on",
        response: responses(200, appFramesResponseSchema),
      },
    },
    async () => success({ origin: origin() }),
  );
}
