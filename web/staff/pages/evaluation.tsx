import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso/router';
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
import { contestsOf, partOf, type Part, partsFor, unansweredIn } from '../evaluation/parts.js';
import { Reads } from '../evaluation/reads.js';
import { Scores } from '../evaluation/scores.js';
import { Sharing } from '../evaluation/sharing.js';
import { Head, Regenerate, State } from '../evaluation/state.js';
import { useTexts } from '../evaluation/texts.js';
import { TicketTitles, Transcript } from '../evaluation/transcript.js';
import { useFollow } from '../parts/follow.js';
import { Empty, Page } from '../parts/layout.js';
import { Failure, Loaded, useLoading, Wait } from '../parts/load.js';
import { useActors } from '../parts/people.js';
import { usePrintedWhole } from '../parts/print.js';

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
  usePrintedWhole();
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
  const known = application.data?.version;
  // Polls, since another person may record the outcome meanwhile.
  useFollow(
    known !== undefined,
    async (signal) => {
      const now = await client.get('/organisations/{orgId}/applications/{applicationId}', {
        params: { orgId, applicationId: application.data?.id ?? '' },
        signal,
      });
      return now.version !== known;
    },
    application.reload,
    [known],
  );
  const name = application.data?.candidateName ?? evaluation?.candidateEmail;
  return (
    <Page
      title={read.data === null ? t.candidates.erased : (name ?? e.page.title)}
      above={{ label: e.list.title, page: 'evaluations' }}
      actions={
        evaluation &&
        evaluation.status !== 'generating' &&
        asked === undefined && <Regenerate evaluation={evaluation} requested={read.reload} />
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
  const { client, orgId, to, may } = usePlace();
  const e = useTexts();
  const { query } = useLocation();
  const actorOf = useActors();
  const memberOf: MemberOf = (id) => actorOf({ type: 'staff', id });
  const tickets = useLoading(
    (signal) => client.get('/organisations/{orgId}/tickets', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const titles = new Map(tickets.data?.items.map(({ id, title }) => [id, title]));
  const page = `evaluations/${evaluation.id}`;
  const parts = partsFor(may);
  const part = partOf(query['part'], parts);
  const at = (one: Part): string =>
    to(
      page +
        queryWith(query, {
          part: one === 'scores' ? null : one,
          after: null,
          // The comparison of generations begins with the latest one.
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
    <TicketTitles.Provider value={titles}>
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
      {part === 'generations' && (
        // With a key, so that a further generation is compared as soon as there is one.
        <Generations
          key={evaluation.generation}
          evaluationId={evaluation.id}
          latest={evaluation.generation}
        />
      )}
    </TicketTitles.Provider>
  );
};
