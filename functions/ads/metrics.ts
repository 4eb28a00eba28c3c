import type { Answer, Note } from "#core/xds/output.ts";
import { ruleOfUrl } from "#core/xds/resource-rules.ts";
import type { Metrics } from "../io/metrics.ts";

/** What is counted of streams. */
export interface AdsMetrics {
  readonly sent: (answer: Answer, bytes: number) => void;
  readonly note: (note: Note) => void;
}

/** Registers them. */
export function adsMetrics(metrics: Metrics): AdsMetrics {
  const pushes = metrics.counter("almanac_xds_pushes_total", "Answers sent, by type.");
  const bytes = metrics.counter("almanac_xds_sent_bytes_total", "Bytes of answers sent, by type.");
  const acks = metrics.counter("almanac_xds_acks_total", "Answers that clients acknowledged, by type.");
  const nacks = metrics.counter("almanac_xds_nacks_total", "Answers that clients refused, by type.");
  const expired = metrics.counter("almanac_xds_expired_holds_total", "Listeners and routes sent before clusters that they need were acknowledged.");
  const unserved = metrics.counter("almanac_xds_unserved_requests_total", "Requests for types that are not served.");
  return {
    sent: (answer, size) => {
      const labels = { type: ruleOfUrl(answer.url)?.type ?? "unserved" };
      pushes(labels);
      bytes(labels, size);
    },
    note: (note) => {
      switch (note.event) {
        case "ack":
          return acks({ type: note.type });
        case "nack":
          return nacks({ type: note.type });
        case "hold-expired":
          return expired({ type: note.type }, note.names.length);
        case "unserved-type":
          return unserved();
      }
    },
  };
}
