import type { Detection } from '../../domain/evaluation/events.js';
import { candidateTextIn, type EvidenceEvent, hasNonBlank } from '../evidence.js';
import type { IntegrityRules } from '../rule-sets.js';
import type { DetectableText, Detector } from './detector.js';

/** Texts of one session that a detector is asked about. */
export const MAX_TEXTS = 100;

const MICROS = 1_000_000;

/**
 * What the detector says of a session's texts that are long enough, in the order of the evidence. Nobody is asked where
 * the rule set has no use for it.
 * @throws what the signal was aborted with
 */
export async function detectionsOf(
  evidence: readonly EvidenceEvent[],
  rules: IntegrityRules,
  detector: Detector,
  signal?: AbortSignal,
): Promise<readonly Detection[]> {
  const rule = rules.generated_text_suspected;
  if (rule === undefined) return [];
  const texts = textsOf(evidence, rule.minimumNonBlankCharacters);
  if (texts.length === 0) return [];
  const detections = await detector.detect(texts, signal);
  signal?.throwIfAborted();
  const said = new Map(detections.map((detection) => [detection.eventId, detection]));
  return texts.flatMap(({ eventId }) => {
    const detection = said.get(eventId);
    return detection === undefined || !isLikelihood(detection.likelihood)
      ? []
      : [{ ...detection, likelihood: Math.round(detection.likelihood * MICROS) / MICROS }];
  });
}

/** The longest where there are too many, the earlier of equals. */
function textsOf(evidence: readonly EvidenceEvent[], nonBlank: number): readonly DetectableText[] {
  const texts = evidence.flatMap(({ id, ...event }, place) => {
    const text = candidateTextIn({ id, ...event });
    return text !== null && hasNonBlank(text, nonBlank) ? [{ eventId: id, text, place }] : [];
  });
  return texts
    .sort((a, b) => b.text.length - a.text.length || a.place - b.place)
    .slice(0, MAX_TEXTS)
    .sort((a, b) => a.place - b.place)
    .map(({ eventId, text }) => ({ eventId, text }));
}

/** Whether a number says how likely something is: from 0 to 1. */
export const isLikelihood = (value: number): boolean => value >= 0 && value <= 1;
