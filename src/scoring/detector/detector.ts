import type { Detection } from '../../domain/evaluation/events.js';
import { candidateTextIn, type EvidenceEvent, hasNonBlank } from '../evidence/evidence.js';
import type { IntegrityRules } from '../integrity/find.js';

/** A text in the candidate's own words. */
export interface DetectableText {
  readonly eventId: string;
  readonly text: string;
}

/** The port of a detector of generated text. Its answers are stored, so it is asked once per generation. */
export interface Detector {
  /**
   * How likely each text is generated, in any order. Leaves out a text that it cannot judge, and never fails: an
   * evaluation does not depend on it.
   * @param signal cancels the call
   */
  detect(texts: readonly DetectableText[], signal?: AbortSignal): Promise<readonly Detection[]>;
}

/** For a service without a detector. */
export const noDetector: Detector = { detect: async () => [] };

/** Answers from what was stored. */
export const storedDetections = (detections: readonly Detection[]): Detector => ({
  detect: async () => detections,
});

/** Most texts of one session that a detector is asked about. */
export const MAX_TEXTS = 100;

const MICROS = 1_000_000;

/**
 * The detector's results for a session's texts that are long enough, in the order of the evidence. Does not ask if the
 * rule set has no rule for them.
 * @throws the signal's reason
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
  const byEvent = new Map(detections.map((detection) => [detection.eventId, detection]));
  return texts.flatMap(({ eventId }) => {
    const detection = byEvent.get(eventId);
    return detection === undefined || !isLikelihood(detection.likelihood)
      ? []
      : [{ ...detection, likelihood: Math.round(detection.likelihood * MICROS) / MICROS }];
  });
}

/** If there are too many, the longest; of equals the earliest. */
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

/** Whether a number is a likelihood, from 0 to 1. */
export const isLikelihood = (value: number): boolean => value >= 0 && value <= 1;
