import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  type Contest,
  type Evaluation,
  type Explanation,
  isAssayError,
} from '../../../packages/client/src/index.js';
import { given, queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { Contests } from '../evaluation/contests.js';
import { placeId } from '../evaluation/evidence.js';
import { Findings } from '../evaluation/findings.js';
import { Generations } from '../evaluation/generations.js';
import { OutcomeCard } from '../evaluation/outcome-form.js';
import { Reads } from '../evaluation/reads.js';
import { Scores } from '../evaluation/scores.js';
import { contestsOf, partOf, type Part, partsFor, unansweredIn } from '../evaluation/parts.js';
import { Sharing } from '../evaluation/sharing.js';
import { ENGLISH, useTexts } from '../evaluation/texts.js';
import { Transcript } from '../evaluation/transcript.js';
import { ResultBadge } from '../evaluation/words.js';
import { Dialog } from '../parts/dialog.js';
import { useFollow } from '../parts/follow.js';
import { FormEnd, useCommand } from '../parts/form.js';
import { Empty, Moment, Page } from '../parts/layout.js';
import { Failure, Loaded, useLoading, Wait } from '../parts/load.js';
import { useActors } from '../parts/people.js';

/** What the page is about; `null`: the candidate was erased. */
type Read = {
  readonly evaluation: Evaluation;
  /** `null` unless the generation is ready. */
  readonly explanation: Explanation | null;
  readonly contests: readonly Contest[];
} | null;

/** An evaluation: its scores down to the evidence, the transcript, hints, contests and the outcome. */
const EvaluationPage = () => {
  const { client, t, orgId } = usePlace();
  const e = useTexts();
  const { evaluationId = '' } = useRoute().params;
  const { query } = useLocation();
  const asked = /^\d+$/.test(query['generation'] ?? '') ? Number(query['generation']) : undefined;
  const read = useLoading<Read>(
    async (signal) => {
      try {
        const params = { orgId, evaluationId };
        const evaluation = await client.get('/organisations/{orgId}/evaluations/{id}', {
          params: { orgId, id: evaluationId, ...given({ generation: asked }) },
          signal,
        });
        const { generation, status } = evaluation;
        const [explanation, { items }] = await Promise.all([
          status === 'ready'
            ? client.get('/organisations/{orgId}/evaluations/{evaluationId}/explanation', {
                params: { ...params, generation },
                signal,
              })
            : null,
          client.get('/organisations/{orgId}/evaluations/{evaluationId}/contests', { params, signal }),
        ]);
        return { evaluation, explanation, contests: items };
      } catch (error) {
        if (isAssayError(error, 'erased')) return null;
        throw error;
      }
    },
    [orgId, evaluationId, asked],
  );
  const evaluation = read.data?.evaluation;
  const application = useLoading(
    async (signal) =>
      evaluation
        ? client.get('/organisations/{orgId}/applications/{applicationId}', {
            params: { orgId, applicationId: evaluation.applicationId },
            signal,
          })
        : null,
    [orgId, evaluation?.applicationId],
  );
  const name = application.data?.candidateName ?? evaluation?.candidateEmail;
  return (
    <Page
      title={read.data === null ? t.candidates.erased : (name ?? e.page.title)}
      above={{ label: e.list.title, page: 'evaluations' }}
      actions={
        evaluation &&
        evaluation.status !== 'generating' &&
        asked === undefined && <Regenerate evaluation={evaluation} asked={read.reload} />
      }
    >
      <Loaded of={read} what={e.page.what}>
        {(data) =>
          data === null ? (
            <Empty title={e.page.erased}>
              <p class="soft">{e.page.erasedText}</p>
            </Empty>
          ) : (
            <Content {...data} asked={asked} reload={read.reload}>
              {(memberOf) =>
                application.data ? (
                  <OutcomeCard
                    application={application.data}
                    sessionId={data.evaluation.trialSessionId}
                    changed={application.set}
                    memberOf={memberOf}
                  />
                ) : application.error === undefined ? (
                  <Wait what={t.candidates.whatOne} />
                ) : (
                  <Failure error={application.error} retry={application.reload} />
                )
              }
            </Content>
          )
        }
      </Loaded>
    </Page>
  );
};
export default EvaluationPage;

type MemberOf = (subject: string) => string;

const Content = ({
  evaluation,
  explanation,
  contests,
  asked,
  reload,
  children,
}: NonNullable<Read> & {
  readonly asked: number | undefined;
  readonly reload: () => void;
  /** The outcome. */
  readonly children: (memberOf: MemberOf) => ComponentChildren;
}) => {
  const { to, may } = usePlace();
  const e = useTexts();
  const { query } = useLocation();
  const actorOf = useActors();
  const memberOf: MemberOf = (id) => actorOf({ type: 'staff', id });
  const page = `evaluations/${evaluation.id}`;
  const parts = partsFor(may);
  const part = partOf(query['part'], parts);
  const at = (one: Part): string =>
    to(
      page +
        queryWith(query, {
          part: one === 'scores' ? null : one,
          after: null,
          // Generations are compared from the latest on.
          ...(one === 'generations' && { generation: null }),
        }),
    );
  const place = { page, query };
  const placeOf = (eventId: string): string => `${at('transcript')}#${placeId(eventId)}`;
  const names: Readonly<Record<Part, string>> = {
    scores: e.page.scores,
    transcript: e.page.transcript,
    findings: e.page.findings(evaluation.integrity.length),
    sharing: e.page.sharing,
    reads: e.page.reads,
    generations: e.page.generations,
  };
  return (
    <>
      <Head evaluation={evaluation} />
      <State evaluation={evaluation} asked={asked} reload={reload} />
      <nav class="tabs" aria-label={e.page.tabs}>
        {parts.map((one) => {
          const open = unansweredIn(one, contests);
          return (
            <a key={one} href={at(one)} aria-current={one === part ? 'page' : undefined}>
              {names[one]} {open > 0 && <span class="badge warn">{e.page.contested(open)}</span>}
            </a>
          );
        })}
      </nav>
      {part === 'scores' && children(memberOf)}
      <Contests
        contests={contestsOf(part, contests)}
        evaluationId={evaluation.id}
        memberOf={memberOf}
        changed={reload}
      />
      {part === 'scores' && explanation && (
        <Scores evaluation={evaluation} explanation={explanation} placeOf={placeOf} />
      )}
      {part === 'transcript' && <Transcript evaluation={evaluation} />}
      {part === 'findings' && (
        <Findings
          findings={evaluation.integrity}
          explained={explanation?.integrity ?? []}
          placeOf={placeOf}
        />
      )}
      {part === 'sharing' && (
        <Sharing
          evaluationId={evaluation.id}
          isReady={evaluation.status === 'ready'}
          memberOf={memberOf}
          {...place}
        />
      )}
      {part === 'reads' && <Reads evaluationId={evaluation.id} actorOf={actorOf} {...place} />}
      {part === 'generations' && <Generations evaluationId={evaluation.id} latest={evaluation.generation} />}
    </>
  );
};

/** The result in one line, and where it belongs. */
const Head = ({ evaluation }: { readonly evaluation: Evaluation }) => {
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

/** Why there are no scores, or that there are newer ones; it follows what is generated. */
const State = ({
  evaluation,
  asked,
  reload,
}: {
  readonly evaluation: Evaluation;
  readonly asked: number | undefined;
  readonly reload: () => void;
}) => {
  const { client, orgId, to } = usePlace();
  const e = useTexts();
  const { id, status, failure, generation, roleId } = evaluation;
  // The list tells no scores, so that no look is recorded as a read.
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

/** Has the evidence scored again, after saying what that means. */
const Regenerate = ({
  evaluation,
  asked,
}: {
  readonly evaluation: Evaluation;
  readonly asked: () => void;
}) => {
  const { client, t, orgId, may } = usePlace();
  const e = useTexts();
  const [isShown, setShown] = useState(false);
  const command = useCommand();
  if (!may('evaluations.regenerate')) return null;
  return (
    <>
      <button class="button quiet" type="button" onClick={() => setShown(true)}>
        {e.page.regenerate}
      </button>
      {isShown && (
        <Dialog title={e.page.regenerate} close={() => setShown(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void command.run(async () => {
                await client.post('/organisations/{orgId}/evaluations/{evaluationId}/regenerations', {
                  params: { orgId, evaluationId: evaluation.id },
                  ifMatch: evaluation.version,
                });
                setShown(false);
                asked();
              });
            }}
          >
            <p>{e.page.regenerateText}</p>
            <FormEnd command={command} label={e.page.regenerate}>
              <button class="button quiet" type="button" onClick={() => setShown(false)}>
                {t.form.cancel}
              </button>
            </FormEnd>
          </form>
        </Dialog>
      )}
    </>
  );
};
