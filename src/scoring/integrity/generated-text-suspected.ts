import { foundAt, ruleOf, severityOf } from './rule.js';

/** A detector takes a text for generated. It reads what the detector said when it was asked, and no text. */
export const generatedTextSuspected = ruleOf('generated_text_suspected', ({ evidence, detections }, rule) => {
  const events = new Map(evidence.map((event) => [event.id, event]));
  return detections.flatMap(({ eventId, likelihood, version }) => {
    const event = events.get(eventId);
    if (event === undefined || likelihood < rule.minimumLikelihood) return [];
    return [
      foundAt(event, {
        kind: 'generated_text_suspected',
        ruleVersion: rule.version,
        severity: severityOf(likelihood, rule.severities),
        magnitude: likelihood,
        inputs: { likelihood, minimumLikelihood: rule.minimumLikelihood, detectorVersion: version },
      }),
    ];
  });
});
