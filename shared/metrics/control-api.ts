import type { Registry } from "prom-client";
import { declaring, LATENCY_BUCKETS } from "./declare.ts";

/** REST, pages, mail and SMS, retention. */
export function controlApiMetrics(registry: Registry) {
  const { histogram, counter, gauge } = declaring(registry);
  return {
    httpRequestsTotal: counter(
      "http_requests_total",
      "Requests to the control API. Many of status 5xx: read its log; of 401: a key was revoked or is missing.",
      ["method", "route", "status"],
    ),
    httpServerErrorsTotal: counter(
      "http_server_errors_total",
      "Answers of status 500 and above by class of route (api, v1, callback, page). Growing: each has a log line with its request id.",
      ["class", "status"],
    ),
    httpRequestSeconds: histogram(
      "http_request_seconds",
      "Time to answer a request of the control API. High on all routes: look at the database.",
      LATENCY_BUCKETS,
      ["route"],
    ),
    messagesTotal: counter(
      "messages_total",
      "Mail and SMS by outcome. Many of failed or dropped: nobody gets codes; look at SMTP_URL, the SMS account and the log.",
      ["channel", "outcome"],
    ),
    retentionDeletedTotal: counter(
      "retention_deleted_total",
      "Calls whose content was deleted because their organization keeps it no longer. None while retention_overdue_seconds grows: read the log of the control APIs.",
    ),
    retentionOverdueSeconds: gauge(
      "retention_overdue_seconds",
      "How long the content that should have been deleted first has been due. Above minutes: deletion is behind or fails; read the log of the control APIs.",
    ),
    passwordQueue: gauge(
      "password_queue",
      "Passwords that wait to be hashed. High for long: a storm of sign-ins; look at the addresses in the audit log.",
    ),
  };
}
