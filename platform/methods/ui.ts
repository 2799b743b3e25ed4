import { z } from "zod";
import { method } from "./define.ts";
import { idSchema, jsonSchema } from "./values.ts";

export const REFRESH_TARGETS = ["campaigns", "campaign", "campaign-targets", "calls", "agents"] as const;
export const MODAL_SIZES = ["small", "medium", "large"] as const;

export const UI_METHODS = [
  method("ui.openModal", {
    about: "Opens a page of the app as a modal, with a context of its own.",
    runsIn: "host",
    params: {
      pageId: idSchema,
      context: z.record(z.string().max(64), jsonSchema).optional(),
      opts: z.strictObject({ size: z.enum(MODAL_SIZES).optional() }).optional(),
    },
    result: z.null(),
    limits: { requestBytes: 64 * 1024, perMinute: 60, inFlight: 2 },
  }),
  method("ui.closeModal", {
    about: "Closes the modal the app is in.",
    runsIn: "host",
    params: {},
    result: z.null(),
    limits: { requestBytes: 1_024, perMinute: 60, inFlight: 2 },
  }),
  method("ui.toast", {
    about: "Shows a short message as plain text, with the app's name.",
    runsIn: "host",
    params: { message: z.string().trim().min(1).max(200) },
    result: z.null(),
    limits: { requestBytes: 4_096, perMinute: 20, inFlight: 4 },
  }),
  method("ui.refresh", {
    about: "Has the dashboard load something again.",
    runsIn: "host",
    params: { target: z.enum(REFRESH_TARGETS) },
    result: z.null(),
    limits: { requestBytes: 1_024, perMinute: 60, inFlight: 4 },
  }),
] as const;

const settingSchema = z.union([z.string(), z.boolean()]);

export const SETTINGS_METHODS = [
  method("settings.all", {
    about: "The app's settings as they were when the frame was loaded, without secrets.",
    runsIn: "frame",
    params: {},
    result: z.record(z.string(), settingSchema),
    empty: {},
  }),
  method("settings.get", {
    about: "One setting; undefined for a secret and for one that is not set.",
    runsIn: "frame",
    params: { key: z.string().min(1).max(64) },
    result: settingSchema.optional(),
  }),
] as const;

export const THEME_METHODS = [
  method("theme.mode", {
    about: "Whether the dashboard is light or dark.",
    runsIn: "frame",
    params: {},
    result: z.enum(["light", "dark"]),
    empty: "light",
  }),
  method("theme.onChange", {
    about: "Tells when the dashboard turns light or dark, until it is ended.",
    runsIn: "frame",
    params: {},
    result: z.null(),
    event: z.enum(["light", "dark"]),
    streams: "subscription",
  }),
] as const;
