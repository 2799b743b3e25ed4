import type { Actions } from "../../connector.ts";
import { isPage } from "../../vendor/answers.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { requestOf, routeOf } from "./routes.ts";

export const actions: Actions = {
  "http.request": async ({ route, params }, { vendor, settings }) => {
    const { url = "", routes = "" } = settings;
    const { path, ...request } = requestOf(routeOf(routes, route), params);
    const answer = await vendor.send({ ...request, url: `${url}${path}`, isAnyContent: true });
    const { status, body, headers } = answer;
    if (typeof body === "string" && isPage(headers["content-type"], Buffer.from(body))) {
      throw new VendorError("failed", "The API answered with a web page instead of data.");
    }
    return { status, body: body ?? null };
  },
};
