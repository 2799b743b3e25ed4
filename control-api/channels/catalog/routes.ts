import { createSttVendors } from "@parley/media/stt/create.ts";
import { createTtsVendors } from "@parley/media/tts/create.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import {
  catalogResponseSchema,
  type Provider,
  providerParamsSchema,
  providerResponseSchema,
  providersResponseSchema,
  voiceSampleParamsSchema,
  voiceSampleQuerySchema,
} from "@parley/shared/contracts/providers.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import type { Database } from "../../database/open.ts";
import { READS } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { connectedCarriers } from "../carriers/connections/kind.ts";
import { listProviders } from "./providers.ts";
import { VoiceSamples } from "./voice-samples.ts";

export interface CatalogDeps {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
}

const common = { tags: ["catalog"], security: KEY_OR_USER_SECURITY };

/** `/api/catalog` and `/api/providers`: what this installation can use, and what the other providers require. */
export function catalogRoutes(app: Api, deps: CatalogDeps): void {
  const voices = createTtsVendors(deps.config.speech, deps);
  const speechVendors = new Set([...createSttVendors(deps.config.speech, deps).keys(), ...voices.keys()]);
  const samples = new VoiceSamples({ vendors: voices, clock: deps.clock });
  app.addHook("onClose", () => samples.close());
  const providersFor = async (request: FastifyRequest): Promise<Provider[]> => {
    const carriers = await connectedCarriers(deps.database, actorOf(request).orgId);
    return listProviders({ speechVendors, connectedCarriers: carriers });
  };
  app.get(
    "/api/catalog",
    {
      config: { access: READS },
      schema: {
        ...common,
        summary: "List recognizers, voices, models and carriers",
        response: responses(200, catalogResponseSchema),
      },
    },
    async (request) => {
      const all = await providersFor(request);
      return success({
        recognizers: all.filter(({ recognizer }) => recognizer !== null),
        voices: all.filter(({ speech }) => speech !== null),
        models: all.filter(({ model }) => model !== null),
        carriers: all.filter(({ carrier }) => carrier !== null),
      });
    },
  );
  app.get(
    "/api/providers",
    {
      config: { access: READS },
      schema: { ...common, summary: "List providers", response: responses(200, providersResponseSchema) },
    },
    async (request) => {
      const providers = await providersFor(request);
      return success({ providers, total: providers.length });
    },
  );
  app.get(
    "/api/providers/:id",
    {
      config: { access: READS },
      schema: {
        ...common,
        summary: "Read a provider: whether it can be used, and what it needs",
        params: providerParamsSchema,
        response: responses(200, providerResponseSchema),
      },
    },
    async (request) => success(existing(await providersFor(request), request.params.id)),
  );
  sampleRoute(app, providersFor, samples);
}

function sampleRoute(
  app: Api,
  providersFor: (request: FastifyRequest) => Promise<Provider[]>,
  samples: VoiceSamples,
): void {
  app.get(
    "/api/providers/:id/samples/:voice",
    {
      config: { access: READS },
      schema: {
        ...common,
        summary: "Listen to a voice as an agent would sound: one sentence, WAV",
        params: voiceSampleParamsSchema,
        querystring: voiceSampleQuerySchema,
        produces: ["audio/wav"],
      },
    },
    async (request, reply) => {
      const { id, voice } = request.params;
      const provider = existing(await providersFor(request), id);
      if (!provider.speech?.voices.some((known) => known.id === voice)) {
        throw new AppError(
          "not_found",
          `${provider.name} has no voice ${voice} to listen to; see /api/catalog.`,
        );
      }
      if (!provider.available) {
        const names = provider.needs.map(({ name }) => name).join(", ");
        throw new AppError("not_found", `Samples of this voice need ${names} on the server.`);
      }
      const wav = await samples.of(actorOf(request).orgId, { provider: id, voice, sound: request.query });
      return reply.type("audio/wav").header("cache-control", "private, max-age=86400").send(Buffer.from(wav));
    },
  );
}

function existing(providers: readonly Provider[], id: string): Provider {
  const found = providers.find((provider) => provider.id === id);
  if (!found) throw new AppError("not_found", `There is no provider ${id}; see /api/providers.`);
  return found;
}
