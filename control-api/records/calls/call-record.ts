import type { CallRecord, CallSummary } from "@parley/shared/contracts/calls.ts";
import { callAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { RecordingLinks } from "../recordings/recording-links.ts";
import type { StoredCall } from "./store.ts";

/** Says no more than that somebody hung up: `endReason` is null then (docs/webhooks.md#callended). */
const PLAIN_HANGUP = "hangup";

/** The fields shared by call lists and call records. */
export function toSummary(call: StoredCall["call"]): Omit<CallSummary, "hasRecording"> {
  return {
    id: call.id,
    sessionId: call.session_id,
    agentId: call.agent_id,
    agentName: call.agent_name,
    agentVersion: call.agent_version,
    channel: call.channel,
    direction: call.direction,
    fromNumber: call.from_number,
    toNumber: call.to_number,
    status: call.status,
    endReason: call.end_reason === PLAIN_HANGUP ? null : call.end_reason,
    identifier: call.identifier,
    userId: call.user_id,
    createdAt: call.created_at.toISOString(),
    startTime: call.started_at?.toISOString() ?? null,
    endTime: call.ended_at?.toISOString() ?? null,
    durationSecs: call.duration_secs,
  };
}

/** The public form of a stored call; the link to its recording is valid for an hour. */
export function toCallRecord(
  { call, messages, turns, floor, path, handOffs, tools, recording, analysis, pii }: StoredCall,
  links: RecordingLinks,
): CallRecord {
  return {
    ...toSummary(call),
    variables: call.variables,
    transcript: messages.map(({ role, text, at, turn, interrupted }) => ({
      role,
      text,
      at: at.toISOString(),
      turn,
      interrupted,
    })),
    latency: turns.map((turn) => ({
      turn: turn.turn,
      endOfTurnMs: turn.end_of_turn_ms,
      brainRequestMs: turn.brain_request_ms,
      brainFirstTokenMs: turn.brain_first_token_ms,
      firstClauseMs: turn.first_clause_ms,
      ttsFirstByteMs: turn.tts_first_byte_ms,
      responseMs: turn.response_ms,
    })),
    floor,
    path,
    handOffs,
    tools: tools.map((tool) => ({
      turn: tool.turn,
      name: tool.name,
      arguments: tool.arguments,
      result: tool.result,
      status: tool.status,
      latencyMs: tool.latency_ms,
      at: tool.at.toISOString(),
    })),
    notes: call.notes,
    recording: recording
      ? {
          ...links.link(recording.id),
          durationSecs: recording.duration_ms / 1000,
          sizeBytes: Number(recording.size_bytes),
          partial: recording.partial,
        }
      : null,
    analysis: analysis?.analysis ? callAnalysis.parse(analysis.analysis) : null,
    analysisError: analysis?.error ?? null,
    analyzedAt: analysis?.analyzed_at.toISOString() ?? null,
    piiCollected: pii.map(({ id, rule_slug, field_key, source, expires_at }) => ({
      id,
      ruleSlug: rule_slug,
      fieldKey: field_key,
      source,
      expiresAt: expires_at.toISOString(),
      collected: true,
    })),
  };
}
