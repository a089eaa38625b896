import type { EvidenceEvent } from '../evidence.js';
import { countIn, flagIn, isConnection, textIn } from '../evidence.js';
import { foundAt, ruleOf } from './rule.js';

/** A connection to the interview took the place of one that was still open, which was closed by 4409. */
export const concurrentConnection = ruleOf('concurrent_connection', ({ evidence }, rule) => {
  const connections = new Map<string, EvidenceEvent>();
  return evidence.filter(isConnection).flatMap((event) => {
    const superseded = textIn(event, 'superseded');
    const former = superseded === null ? undefined : connections.get(superseded);
    const id = textIn(event, 'connectionId');
    if (id !== null) connections.set(id, event);
    if (superseded === null) return [];
    const sameDevice = flagIn(event, 'sameDevice');
    const device = sameDevice === null ? 'unknown' : sameDevice ? 'same' : 'other';
    return [
      foundAt(event, {
        kind: 'concurrent_connection',
        ruleVersion: rule.version,
        severity: rule.severities[device],
        magnitude: device === 'other' ? 2 : device === 'unknown' ? 1 : 0,
        evidence: former === undefined ? [event] : [former, event],
        inputs: { connection: countIn(event, 'ordinal') ?? 0, device },
      }),
    ];
  });
});
