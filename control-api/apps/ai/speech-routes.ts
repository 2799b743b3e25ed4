import { createTtsVendors } from "@parley/media/tts/create.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import { type AppSpeechRequest, appSpeechSchema } from "@parley/shared/contracts/app-speech.ts";
import { AppError } from "@parley/shared/errors.ts";
import { openSettings } from "../../agents/agents/settings.ts";
import { listAgents } from "../../agents/agents/store.ts";
import type { OrganizationModelsDeps } from "../../agents/models/organization-models.ts";
import type { Database } from "../../database/open.ts";
import { APP_BACKENDS } from "../../http/access/rules.ts";
import { goneSignal } from "../../http/gone-signal.ts";
import type { Limits } from "../../http/limits/limits.ts";
import type { Api } from "../../http/routes.ts";
import { backendOf } from "../backend/backend.ts";
import { AppSpeech } from "./app-speech.ts";

const BODY_BYTES = 64 * 1_024;

export interface AppSpeechDeps extends Pick<OrganizationModelsDeps, "secrets"> {
  readonly config: Pick<Config, "speech">;
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Limits;
  /** The billing district's meter. `beginSpeech` throws when the organization cannot pay. */
  readonly modelMeter: {
    readonly beginSpeech: (
      orgId: string,
    ) => Promise<(used: { readonly provider: string; readonly characters: number }) => Promise<void>>;
  };
}

/** `/api/app-ai/tts`: speaks a text for an app's backend; the organization that installed the app pays. */
export function appSpeechRoutes(app: Api, deps: AppSpeechDeps): void {
  const speech = new AppSpeech({ vendors: createTtsVendors(deps.config.speech, deps), clock: deps.clock });
  app.addHook("onClose", () => speech.close());
  app.post(
    "/api/app-ai/tts",
    {
      config: { access: APP_BACKENDS },
      bodyLimit: BODY_BYTES,
      schema: {
        ...{ tags: ["app backends"], security: [{ appKey: [] }], produces: ["audio/wav"] },
        summary: "Have a text spoken, as an app's backend; needs scope ai:tts. WAV, 16 kHz mono",
        body: appSpeechSchema,
      },
    },
    async (request, reply) => {
      const signal = goneSignal(reply);
      const { orgId } = await backendOf(request, "ai:tts", deps);
      await deps.limits.take("app_speech_per_organization", orgId);
      const voice = await voiceFor(orgId, request.body, { ...deps, speech });
      if (signal.aborted) throw new AppError("unavailable", "The request was canceled.");
      const end = await deps.modelMeter.beginSpeech(orgId);
      let characters = 0;
      try {
        const wav = await speech.speak({
          ...{ ...voice, orgId, text: request.body.text, signal },
          onSpoken: (more) => {
            characters += more;
          },
        });
        return reply.type("audio/wav").header("cache-control", "no-store").send(Buffer.from(wav));
      } finally {
        await end({ provider: voice.provider, characters });
      }
    },
  );
}

/** The requested voice; missing settings come from the organization's newest agent. */
async function voiceFor(
  orgId: string,
  { provider, voice, model, speed }: AppSpeechRequest,
  { database, secrets, speech }: AppSpeechDeps & { readonly speech: AppSpeech },
): Promise<{ provider: string; voice?: string; model?: string; speed?: number }> {
  const given = { ...(voice && { voice }), ...(model && { model }), ...(speed && { speed }) };
  if (provider !== undefined) {
    if (speech.has(provider)) return { provider, ...given };
    throw new AppError("not_found", `${provider} is not set up on this server: its API key is missing.`);
  }
  const [agent] = (await listAgents(database, orgId, { limit: 1, offset: 0 })).rows;
  const choices = agent ? openSettings(agent, agent.id, secrets).tts : [];
  const own = choices.find((choice) => speech.has(choice.vendor));
  return {
    provider: own?.vendor ?? "flite",
    ...(own?.voice && { voice: own.voice }),
    ...(own?.model && { model: own.model }),
    ...given,
  };
}
