import type { EvaluationStatus, Outcome } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Badge } from '../parts/layout.js';
import { useTexts } from './texts.js';

/** The state of an evaluation, or once it is ready, whether it passed. */
export const ResultBadge = ({
  status,
  passed,
}: {
  readonly status: EvaluationStatus;
  readonly passed: boolean | null;
}) => {
  const e = useTexts();
  if (status !== 'ready') return <Badge tone={status === 'failed' ? 'bad' : ''}>{e.statuses[status]}</Badge>;
  if (passed === null) return <Badge>{e.statuses.ready}</Badge>;
  return <Badge tone={passed ? 'good' : ''}>{passed ? e.list.passed : e.list.notPassed}</Badge>;
};

/** An outcome in a few words. */
export const OutcomeWords = ({ outcome }: { readonly outcome: Outcome | null }) => {
  const { t } = usePlace();
  if (outcome === null) return <span class="soft">–</span>;
  const { humanRound, disposition } = outcome;
  return (
    <>
      {[
        humanRound && t.candidates.humanRound[humanRound],
        disposition && t.candidates.disposition[disposition],
      ]
        .filter(Boolean)
        .join(' · ')}
    </>
  );
};
