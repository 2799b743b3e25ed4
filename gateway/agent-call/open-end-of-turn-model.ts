import { type EndOfTurnModel, HttpEndOfTurnModel } from "@parley/media/end-of-turn/end-of-turn-model.ts";
import { OnnxEndOfTurnModel } from "@parley/media/end-of-turn/onnx/onnx-model.ts";
import type { EndOfTurnOutcome } from "@parley/media/end-of-turn/within-time.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { type Config, ConfigError } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";

type EndOfTurnDeps = Config["endOfTurn"] & { readonly clock: Clock; readonly metrics: Metrics };

/**
 * Opens the operator's end-of-turn model, if one is configured: over HTTP, or as an ONNX file that is loaded and tried.
 * Rejects with a `ConfigError` that says what about the file does not fit.
 */
export async function openEndOfTurnModel(deps: EndOfTurnDeps): Promise<EndOfTurnModel | undefined> {
  const { url, modelPath: path, timeoutMs: withinMs, clock, metrics } = deps;
  const onAsked = (outcome: EndOfTurnOutcome, tookMs: number): void =>
    metrics.endOfTurnModelSeconds.observe({ outcome }, tookMs / 1000);
  const asked = { withinMs, clock, onAsked };
  if (url !== undefined) return new HttpEndOfTurnModel({ ...asked, url });
  if (path === undefined) return undefined;
  try {
    return await OnnxEndOfTurnModel.open({ ...asked, path });
  } catch (error) {
    throw new ConfigError([`END_OF_TURN_MODEL is "${path}"; ${messageOf(error)}`]);
  }
}
