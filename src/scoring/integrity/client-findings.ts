import { countIn, type EvidenceEvent, millisecondsOf, textIn } from '../evidence/evidence.js';
import {
  type Flat,
  type IntegrityInput,
  type IntegrityRule,
  type Remark,
  severityOf,
  type Stepped,
} from './finding.js';

/** A kind that is found each time that a client reports one type of activity. */
const reported =
  (eventType: string): IntegrityRule<Flat> =>
  ({ evidence }, { severity }) =>
    evidence
      .filter((event) => event.eventType === eventType)
      .map((event, index) => ({ event, severity, magnitude: 1, inputs: { occurrence: index + 1 } }));

/** Kinds that are found in what clients report, and in what candidates write. */
export const clientFindings = {
  /** Much text was pasted at once. The magnitude is the number of characters that are not blank. */
  paste_burst: (
    { evidence }: IntegrityInput,
    row: Stepped & { readonly minimumNonBlankCharacters: number },
  ): readonly Remark[] => {
    const { minimumNonBlankCharacters } = row;
    return evidence.flatMap((event) => {
      const nonBlankCharacters =
        event.eventType === 'clipboard.pasted' ? countIn(event, 'nonBlankCharacters') : null;
      return nonBlankCharacters === null || nonBlankCharacters < minimumNonBlankCharacters
        ? []
        : {
            event,
            severity: severityOf(nonBlankCharacters, row),
            magnitude: nonBlankCharacters,
            inputs: { nonBlankCharacters, minimumNonBlankCharacters },
          };
    });
  },

  /** Text of the task itself was pasted. The magnitude is the number of characters that are not blank. */
  prompt_copied: ({ evidence }: IntegrityInput, row: Stepped): readonly Remark[] =>
    evidence
      .filter((event) => event.eventType === 'clipboard.pasted' && textIn(event, 'source') === 'prompt')
      .map((event) => {
        const nonBlankCharacters = countIn(event, 'nonBlankCharacters') ?? 0;
        return {
          event,
          severity: severityOf(nonBlankCharacters, row),
          magnitude: nonBlankCharacters,
          inputs: { nonBlankCharacters },
        };
      }),

  /**
   * The page was out of sight for a while; the magnitude is that time in milliseconds. A page that never came back was
   * hidden until the session ended: version 1 measured that from the candidate's clock to the service's, later versions
   * by the service's alone.
   */
  focus_lost: (
    input: IntegrityInput,
    row: Stepped & { readonly minimumHiddenMs: number },
  ): readonly Remark[] => {
    const { version, minimumHiddenMs } = row;
    return hiddenStretches(input, version === 1 ? 'occurredAt' : 'recordedAt')
      .filter(({ ms }) => ms >= minimumHiddenMs)
      .map(({ from, to, ms }) => ({
        event: from,
        severity: severityOf(ms, row),
        magnitude: ms,
        evidence: to === null ? [from] : [from, to],
        inputs: { hiddenMs: ms, minimumHiddenMs, until: to === null ? 'end' : 'page.shown' },
      }));
  },

  /** The client reported that its network changed. */
  network_changed: reported('network.changed'),

  /** The client reported that the page no longer fills the screen. */
  fullscreen_exited: reported('fullscreen.exited'),

  /** A detector judged a text as generated; the magnitude is the likelihood. Reads the stored result, not the text. */
  generated_text_suspected: (
    { evidence, detections }: IntegrityInput,
    row: Stepped & {
      /** Shorter texts are not shown to a detector, which could only guess. */
      readonly minimumNonBlankCharacters: number;
      /** From 0 to 1. */
      readonly minimumLikelihood: number;
    },
  ): readonly Remark[] => {
    const { minimumLikelihood } = row;
    const events = new Map(evidence.map((event) => [event.id, event]));
    return detections.flatMap(({ eventId, likelihood, version: detectorVersion }) => {
      const event = events.get(eventId);
      return event === undefined || likelihood < minimumLikelihood
        ? []
        : {
            event,
            severity: severityOf(likelihood, row),
            magnitude: likelihood,
            inputs: { likelihood, minimumLikelihood, detectorVersion },
          };
    });
  },
};

interface Hidden {
  readonly from: EvidenceEvent;
  /** `null`: still hidden when the session ended. */
  readonly to: EvidenceEvent | null;
  readonly ms: number;
}

/**
 * From the first `page.hidden` to the next `page.shown`, or to the session's end.
 * @param untilEnd which of the event's times counts for a page that never came back
 */
const hiddenStretches = (
  { evidence, endedAt }: IntegrityInput,
  untilEnd: 'occurredAt' | 'recordedAt',
): readonly Hidden[] => {
  const stretches: Hidden[] = [];
  let hidden: { readonly event: EvidenceEvent; readonly at: number } | null = null;
  for (const event of evidence) {
    if (event.eventType !== 'page.hidden' && event.eventType !== 'page.shown') continue;
    const at = millisecondsOf(event.occurredAt);
    if (at === null) continue;
    if (event.eventType === 'page.hidden') {
      hidden ??= { event, at };
    } else if (hidden !== null) {
      stretches.push({ from: hidden.event, to: event, ms: at - hidden.at });
      hidden = null;
    }
  }
  const since = hidden === null ? null : millisecondsOf(hidden.event[untilEnd]);
  const end = millisecondsOf(endedAt);
  if (hidden !== null && since !== null && end !== null)
    stretches.push({ from: hidden.event, to: null, ms: end - since });
  return stretches;
};
