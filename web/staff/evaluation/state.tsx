import type { Evaluation } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Asking } from '../parts/dialog.js';
import { useFollow } from '../parts/follow.js';
import { Moment } from '../parts/layout.js';
import { readNewer } from '../parts/newer.js';
import { ENGLISH, useTexts } from './texts.js';
import { ResultBadge } from './words.js';

/** The result in one line, with links to the candidate and the role. */
export const Head = ({ evaluation }: { readonly evaluation: Evaluation }) => {
  const { to } = usePlace();
  const e = useTexts();
  const { overallScore, overallThreshold, roleId, roleName, applicationId, generation, generatedAt } =
    evaluation;
  return (
    <p class="facts">
      <ResultBadge {...evaluation} />
      {overallScore !== null && (
        <span>
          <strong class="figure">{overallScore}</strong> {e.scores.passesAt(overallThreshold)}
        </span>
      )}
      <a href={to(`roles/${roleId}`)}>{roleName}</a>
      <a href={to(`candidates/${applicationId}`)}>{e.page.application}</a>
      <span class="soft">
        {e.page.generation(generation)}
        {generatedAt !== null && (
          <>
            {' · '}
            <Moment at={generatedAt} withTime />
          </>
        )}
      </span>
    </p>
  );
};

/** Why there are no scores, or that there are newer ones. It polls while an evaluation is generated. */
export const State = ({
  evaluation,
  asked,
  reload,
}: {
  readonly evaluation: Evaluation;
  /** The generation that the address asks for; `undefined`: the latest one. */
  readonly asked: number | undefined;
  readonly reload: () => void;
}) => {
  const { client, orgId, to } = usePlace();
  const e = useTexts();
  const { id, status, failure, generation, roleId } = evaluation;
  // Polls the list, which has no scores: each read of the evaluation itself would be recorded.
  const isLost = useFollow(
    status === 'generating',
    async (signal) => {
      const waiting = client.list('/organisations/{orgId}/evaluations', {
        params: { orgId, roleId, status: 'generating', limit: 200 },
        signal,
      });
      for await (const one of waiting) if (one.id === id) return false;
      return true;
    },
    reload,
  );
  if (status === 'generating')
    return (
      <div class="note" role="status">
        <p>
          {e.page.generating} {e.page.generatingEvidence}
        </p>
        {isLost && <p>{e.page.unseen}</p>}
      </div>
    );
  if (status === 'failed')
    return (
      <div class="note bad">
        <p>
          <strong>{e.page.failed}</strong> {failure !== null && <span lang={ENGLISH}>{failure}</span>}
        </p>
        <p>{e.page.failedNext}</p>
      </div>
    );
  if (asked === undefined) return null;
  return (
    <p class="note">
      {e.page.former(generation)} <a href={to(`evaluations/${id}`)}>{e.page.toLatest}</a>
    </p>
  );
};

/** Has the evidence scored again, after explaining the effect. */
export const Regenerate = ({
  evaluation,
  requested,
}: {
  readonly evaluation: Evaluation;
  /** Called once the service has accepted the request. */
  readonly requested: () => void;
}) => {
  const { client, orgId, may } = usePlace();
  const e = useTexts();
  if (!may('evaluations.regenerate')) return null;
  return (
    <Asking
      label={e.page.regenerate}
      title={e.page.regenerate}
      text={e.page.regenerateText}
      renew={async () => {
        const one = { orgId, id: evaluation.id };
        const read = () => client.get('/organisations/{orgId}/evaluations/{id}', { params: one });
        await readNewer(read, evaluation.version);
        requested();
      }}
      work={async () => {
        await client.post('/organisations/{orgId}/evaluations/{evaluationId}/regenerations', {
          params: { orgId, evaluationId: evaluation.id },
          ifMatch: evaluation.version,
        });
        requested();
      }}
    />
  );
};
