import type { ExplainedFinding, IntegrityFinding } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Badge, Empty, Moment } from '../parts/layout.js';
import { measureOf } from './parts.js';
import { ENGLISH, labelOf, useTexts } from './texts.js';

/** Hints that a person may want to check, with what the AI policy allowed. */
export const Findings = ({
  findings,
  explained,
  placeOf,
}: {
  readonly findings: readonly IntegrityFinding[];
  /** With the figures that each rule compared, in the same order. */
  readonly explained: readonly ExplainedFinding[];
  readonly placeOf: (eventId: string) => string;
}) => {
  const e = useTexts();
  return (
    <section>
      <h2>{e.findings.title}</h2>
      <p class="soft">{e.findings.text}</p>
      {findings.length === 0 ? (
        <Empty title={e.findings.none}>
          <p class="soft">{e.findings.noneText}</p>
        </Empty>
      ) : (
        findings.map((finding, index) => (
          <Finding
            key={index}
            finding={finding}
            inputs={finding.inputs ?? explained[index]?.inputs ?? {}}
            placeOf={placeOf}
          />
        ))
      )}
    </section>
  );
};

const Finding = ({
  finding,
  inputs,
  placeOf,
}: {
  readonly finding: IntegrityFinding;
  readonly inputs: Readonly<Record<string, number | string>>;
  readonly placeOf: (eventId: string) => string;
}) => {
  const e = useTexts();
  const { language } = usePlace();
  const { kind, severity, aiPolicy, evidenceEventIds } = finding;
  const at = 'timestamp' in finding ? finding.timestamp : finding.candidateMessageAt;
  const compared = Object.entries(inputs);
  return (
    <section class="card finding">
      <p class="facts">
        <Badge tone={severity === 'high' || severity === 'medium' ? 'warn' : ''}>
          {labelOf(e.findings.severities, severity)}
        </Badge>
        <span class="soft small">
          <Moment at={at} withTime />
        </span>
      </p>
      <p>{labelOf(e.findings.kinds, kind)}</p>
      {aiPolicy !== undefined && <p>{e.findings.policies[aiPolicy]}</p>}
      <p class="facts">
        {evidenceEventIds.map((eventId, index) => (
          <a key={eventId} href={placeOf(eventId)}>
            {evidenceEventIds.length === 1 ? e.findings.evidence : e.findings.place(index + 1)}
          </a>
        ))}
      </p>
      {compared.length > 0 && (
        <details>
          <summary class="plain soft">{e.findings.figures}</summary>
          <dl>
            {compared.map(([name, value]) => {
              const measure = measureOf(name, value, e, language);
              return (
                <div key={name}>
                  <dt>{measure.name ?? <span lang={ENGLISH}>{inWords(name)}</span>}</dt>
                  <dd>{measure.value}</dd>
                </div>
              );
            })}
          </dl>
        </details>
      )}
    </section>
  );
};

/** `minimumNonBlankCharacters` as words. */
const inWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
