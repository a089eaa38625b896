import { text as readText } from 'node:stream/consumers';
import pMap from 'p-map';
import { ShellCommand } from '../../clients/shell.js';
import { ProviderFailed } from '../../clients/speech.js';
import { anySignal } from '../../core/signals.js';
import type { Detection } from '../../domain/evaluation/events.js';
import type { Logger } from '../../process/log.js';
import { candidateTextIn, type EvidenceEvent, hasNonBlank } from '../evidence/evidence.js';
import type { IntegrityRules } from '../integrity/find.js';

/** A text in the candidate's own words. */
export interface DetectableText {
  readonly eventId: string;
  readonly text: string;
}

/** The port of a detector of generated text. Its answers are stored, so it is called once per generation. */
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

/** Maximum number of texts of one session that a detector receives. */
export const MAX_TEXTS = 100;

/** Likelihoods are rounded to millionths. */
const MICROS = 1_000_000;

/**
 * The detector's results for a session's texts that are long enough, in the order of the evidence. The detector is not
 * called if the rule set has no rule for its results.
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

/** The candidate's texts that are long enough. If there are too many, the longest; of equals the earliest. */
function textsOf(evidence: readonly EvidenceEvent[], minimumNonBlank: number): readonly DetectableText[] {
  const texts = evidence.flatMap((event, place) => {
    const text = candidateTextIn(event);
    return text !== null && hasNonBlank(text, minimumNonBlank) ? [{ eventId: event.id, text, place }] : [];
  });
  return texts
    .sort((a, b) => b.text.length - a.text.length || a.place - b.place)
    .slice(0, MAX_TEXTS)
    .sort((a, b) => a.place - b.place)
    .map(({ eventId, text }) => ({ eventId, text }));
}

/** Whether a number is a likelihood, from 0 to 1. */
export const isLikelihood = (value: number): boolean => value >= 0 && value <= 1;

/** Version of how `CommandDetector` calls its command, stored with each likelihood. */
const VERSION = 1;
const MAX_OUTPUT_BYTES = 1_024;
/** Maximum number of texts of one session that the command judges at the same time. */
const MAX_TEXTS_AT_ONCE = 4;
/** Decimal, as programs write numbers: `0.93`, `1`, `.5`, `8.1e-05`. */
const NUMBER = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** Time limits, in milliseconds. */
export interface DetectorLimits {
  readonly perTextMs: number;
  /** For all texts of a session; texts that have no answer by then are left out. */
  readonly perSessionMs: number;
}

const LIMITS: DetectorLimits = { perTextMs: 15_000, perSessionMs: 60_000 };

/**
 * A local program that gets one text on standard input and writes how likely it is generated, a number from 0 to 1, on
 * standard output. Its standard error is not logged, since it can repeat the text.
 */
export class CommandDetector implements Detector {
  private readonly command: ShellCommand;

  constructor(
    command: string,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly limits: DetectorLimits = LIMITS,
  ) {
    this.command = new ShellCommand("The detector's command", command, { debug: () => undefined });
  }

  async detect(texts: readonly DetectableText[], signal?: AbortSignal): Promise<readonly Detection[]> {
    const failures: string[] = [];
    const deadline = anySignal(AbortSignal.timeout(this.limits.perSessionMs), signal);
    const detections: Detection[] = [];
    const ask = async ({ eventId, text }: DetectableText): Promise<void> => {
      try {
        const likelihood = await this.likelihoodOf(text, deadline.signal);
        detections.push({ eventId, detector: 'command', version: VERSION, likelihood });
      } catch (error) {
        failures.push(reasonOf(error));
      }
    };
    await pMap(texts, ask, { concurrency: MAX_TEXTS_AT_ONCE });
    deadline.end();
    if (failures.length > 0 && signal?.aborted !== true)
      this.log.warn(
        { texts: texts.length, failed: failures.length, first: failures[0] },
        'Some texts could not be shown to the detector: they have no findings.',
      );
    return detections;
  }

  private async likelihoodOf(text: string, signal: AbortSignal): Promise<number> {
    const limits = { timeoutMs: this.limits.perTextMs, maxBytes: MAX_OUTPUT_BYTES };
    const written = (await readText(this.command.run(text, limits, signal))).trim();
    const likelihood = NUMBER.test(written) ? Number(written) : NaN;
    if (!isLikelihood(likelihood))
      throw new ProviderFailed(`${this.command.title} wrote no number from 0 to 1.`);
    return likelihood;
  }
}

/** The reason for the log. Only a provider's message is sure to contain nothing of the text. */
const reasonOf = (error: unknown): string =>
  error instanceof ProviderFailed ? error.message : `An unexpected fault (${(error as Error).name}).`;
