import { type EndOfTurnModel, HttpEndOfTurnModel } from "@parley/media/turn/end-of-turn-model.ts";
import { OnnxEndOfTurnModel } from "@parley/media/turn/onnx/onnx-model.ts";
import type { EndOfTurnOutcome } from "@parley/media/turn/within-time.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { type Config, ConfigError } from "@parley/shared/config/config.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";

type EndOfTurnDeps = Config["endOfTurn"] & { readonly clock: Clock; readonly metrics: Metrics };

/**
 * The operator's model of when a caller is done, where one is configured: behind HTTP, or an ONNX file that is loaded and
 * tried. Rejects with a `ConfigError` that says what of the file does not fit.
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
