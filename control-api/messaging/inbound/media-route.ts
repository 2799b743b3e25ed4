import { signedQuerySchema } from "@parley/shared/contracts/recordings.ts";
import { AppError } from "@parley/shared/errors.ts";
import { z } from "zod";
import { PUBLIC } from "../../http/access/rules.ts";
import type { Api } from "../../http/routes.ts";
import type { MessagingDeps } from "../deps.ts";

/** Types that browsers show without executing content; all others are served as downloads. */
const SHOWN = /^(image\/(jpeg|png|webp|gif)|audio\/[\w.+-]+|video\/(mp4|3gpp))$/;
const params = z.object({ messageId: z.string().min(1).max(64) });

/** `/api/public/messages/{id}/media`: the target of the links in events and on pages. */
export function mediaRoute(app: Api, { database, files, mediaLinks }: MessagingDeps): void {
  app.get(
    "/api/public/messages/:messageId/media",
    { config: { access: PUBLIC }, schema: { hide: true, params, querystring: signedQuerySchema } },
    async (request, reply) => {
      const { messageId } = request.params;
      mediaLinks.assertOpen(messageId, request.query);
      const found = await database.db
        .selectFrom("messaging_messages")
        .select("media")
        .where("id", "=", messageId)
        .executeTakeFirst();
      const { key, mimeType = "", filename } = found?.media ?? {};
      if (key === undefined) throw new AppError("not_found", "The media were deleted.");
      const size = await files.sizeBytes(key);
      const [type = ""] = mimeType.split(";");
      const isShown = SHOWN.test(type.trim());
      const name = encodeURIComponent((filename ?? messageId).toWellFormed());
      return reply
        .headers({
          "content-type": isShown ? mimeType : "application/octet-stream",
          "content-length": size,
          "content-disposition": `${isShown ? "inline" : "attachment"}; filename*=UTF-8''${name}`,
          "content-security-policy": "default-src 'none'; sandbox",
          "x-content-type-options": "nosniff",
          "cache-control": "private, max-age=3600",
        })
        .send(await files.open(key, { start: 0, end: Math.max(0, size - 1) }));
    },
  );
}
