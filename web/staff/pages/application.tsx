import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Application } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { OutcomeWords } from '../evaluation/words.js';
import { StatusBadge } from '../parts/application-status.js';
import { Opening } from '../parts/dialog.js';
import { Field, FormEnd, Now, useCommand } from '../parts/form.js';
import { Deadline, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { isOpen, nameOf } from '../parts/people.js';
import { Accommodate, type ActionProps, Erase, Retake, useNewer, wordsOf } from './application-care.js';
import { Mails } from './application-mails.js';
import { Person } from './person.js';

/** Whether the same person may be invited once more. */
const isOver = (application: Application): boolean => !isOpen(application) && application.status !== 'erased';

/** One application: its state, its commands, and everything else about the person. */
const ApplicationPage = () => {
  const { client, t, orgId, may } = usePlace();
  const { applicationId = '' } = useRoute().params;
  const application = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/applications/{applicationId}', {
        params: { orgId, applicationId },
        signal,
      }),
    [orgId, applicationId],
  );
  const { data } = application;
  return (
    <Page
      title={data ? nameOf(data, t.candidates.erased) : t.candidates.candidate}
      above={{ label: t.candidates.title, page: 'candidates' }}
      actions={
        data && (
          <>
            {isOpen(data) && may('candidates.invite') && (
              <>
                <Accommodate application={data} done={application.set} />
                <Extend application={data} done={application.set} />
                <Cancel application={data} done={application.set} />
              </>
            )}
            {isOver(data) && may('candidates.invite') && <Retake application={data} />}
            {data.status !== 'erased' && may('candidates.erase') && (
              <Erase application={data} erased={application.reload} />
            )}
          </>
        )
      }
    >
      <Loaded of={application} what={t.candidates.whatOne}>
        {(one) => (
          <>
            <Facts application={one} />
            {one.status !== 'erased' && <Mails application={one} />}
            <Person application={one} />
          </>
        )}
      </Loaded>
    </Page>
  );
};
export default ApplicationPage;

const Facts = ({ application }: { readonly application: Application }) => {
  const { t, to, may } = usePlace();
  const { status, candidateEmail, roleName, invitedAt, trialSessions, candidateUrl, outcome } = application;
  const { accommodations, erasureRequestedAt } = application;
  const granted = wordsOf(accommodations, t);
  const session = trialSessions.at(-1);
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [t.roles.status, <StatusBadge status={status} />],
    [t.candidates.email, candidateEmail ?? t.candidates.erased],
    [t.roles.name, roleName],
    ...(application.retakeOf === null
      ? []
      : [
          [
            t.candidates.person.retake,
            <a href={to(`candidates/${application.retakeOf}`)}>{t.candidates.person.former}</a>,
          ] as const,
        ]),
    [t.candidates.invitedAt, <Moment at={invitedAt} withTime />],
    [t.candidates.startedAt, <Moment at={session?.startedAt ?? null} withTime />],
    [t.candidates.endedAt, <Moment at={session?.endedAt ?? null} withTime />],
    ...(granted === '' ? [] : [[t.candidates.accommodations, granted] as const]),
    ...(erasureRequestedAt !== null && status !== 'erased'
      ? [[t.candidates.erasureAsked, <Moment at={erasureRequestedAt} withTime />] as const]
      : []),
    ...(isOpen(application)
      ? [
          [t.candidates.expiresAt, <Deadline at={session?.expiresAt ?? null} />] as const,
          [
            t.candidates.link,
            <a href={candidateUrl} target="_blank" rel="noreferrer">
              {candidateUrl}
            </a>,
          ] as const,
        ]
      : []),
    ...(session?.evaluationId && may('evaluations.read')
      ? [
          [
            t.candidates.evaluation,
            <a href={to(`evaluations/${session.evaluationId}`)}>{t.candidates.toEvaluation}</a>,
          ] as const,
        ]
      : []),
    ...(outcome ? [[t.candidates.outcome, <OutcomeWords outcome={outcome} />] as const] : []),
  ];
  return (
    <section class="card">
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

/** Gives more time. The field and the API both have the end of the time, not its length. */
const Extend = (props: ActionProps) => (
  <Opening label={usePlace().t.candidates.extend}>
    {(close) => <Extending {...props} close={close} />}
  </Opening>
);

const Extending = ({ application, done, close }: ActionProps & { readonly close: () => void }) => {
  const { client, t, orgId } = usePlace();
  const [until, setUntil] = useState('');
  const command = useCommand(useNewer({ application, done }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void command.run(async () => {
          const changed = await client.patch('/organisations/{orgId}/applications/{applicationId}', {
            params: { orgId, applicationId: application.id },
            body: { expiresAt: new Date(until).toISOString() },
            ifMatch: application.version,
          });
          done(changed);
          close();
        });
      }}
    >
      <Now>
        <Deadline at={application.trialSessions.at(-1)?.expiresAt ?? null} />
      </Now>
      <Field
        label={t.candidates.expiresAt}
        type="datetime-local"
        required
        value={until}
        change={setUntil}
        hint={t.candidates.ownTime}
      />
      <FormEnd command={command} label={t.candidates.extend} cancel={close} />
    </form>
  );
};

/** Cancels the application, after explaining the effect. */
const Cancel = (props: ActionProps) => {
  const { candidates } = usePlace().t;
  const text = candidates.cancelText(nameOf(props.application, candidates.erased));
  return (
    <Opening label={candidates.cancel} text={text}>
      {(close) => <Cancelling {...props} close={close} />}
    </Opening>
  );
};

const Cancelling = ({ application, done, close }: ActionProps & { readonly close: () => void }) => {
  const { client, t, orgId } = usePlace();
  const command = useCommand(useNewer({ application, done }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void command.run(async () => {
          const changed = await client.post('/organisations/{orgId}/applications/{applicationId}/cancel', {
            params: { orgId, applicationId: application.id },
            ifMatch: application.version,
          });
          done(changed);
          close();
        });
      }}
    >
      <FormEnd command={command} label={t.candidates.cancel} tone="danger">
        <button class="button quiet" type="button" onClick={close}>
          {t.candidates.keep}
        </button>
      </FormEnd>
    </form>
  );
};
