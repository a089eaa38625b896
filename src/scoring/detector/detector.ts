import type { Detection } from '../../domain/evaluation/events.js';

/** A text in the candidate's own words. */
export interface DetectableText {
  readonly eventId: string;
  readonly text: string;
}

/** The port of what tells generated texts from others. What it says is stored, and never asked for again. */
export interface Detector {
  /**
   * How likely each text is generated, in any order. One of which it cannot tell is left out; it never fails, since an evaluation does
   * not depend on it.
   * @param signal ends the asking: nobody waits for it any more
   */
  detect(texts: readonly DetectableText[], signal?: AbortSignal): Promise<readonly Detection[]>;
}

/** Nothing is asked, and nothing suspected. */
export const noDetector: Detector = { detect: async () => [] };

/** What was said before stands in for asking. */
export const storedDetections = (detections: readonly Detection[]): Detector => ({
  detect: async () => detections,
});
