import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { PageTexts } from '../../../src/languages/en/page.js';
import { LARGE_MS } from '../../shared/api.js';
import { dateTime } from '../../shared/clock.js';
import { Card, Screen, Status } from '../../shared/components.js';
import { download } from '../../shared/download.js';
import type { App } from '../app.js';
import type { Draft } from '../interview/drafts.js';
import { Erasure } from '../leaving.js';
import type { Visit } from '../state.js';
import { Contests } from './contests.js';
import { Rating } from './rating.js';
import { Result, useEvaluation } from './result.js';

/** How the session ended, and what the candidate can do with their data. */
export const After = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value.after;
  const language = app.language.value;
  const { application, session } = visit;
  const { organisationName } = visit.briefing;
  const [evaluation, setEvaluation] = useEvaluation(app, application.id, session.status === 'completed');
  const message =
    session.status === 'expired' || session.status === 'withdrawn' ? t[session.status] : t.completed;
  const handedIn = app.handedIn.value;
  const kept = app.draftsOf(session.id).all();
  // The key keeps the form mounted, with what is being written, when a result appears above it.
  const contests = evaluation && (
    <Contests
      key="contests"
      app={app}
      evaluation={evaluation}
      added={(contest) => setEvaluation({ ...evaluation, contests: [...evaluation.contests, contest] })}
    />
  );
  return (
    <Screen title={message.title}>
      <section class="card">
        <p>{session.status === 'completed' && kept.length > 0 ? t.completed.textButKept : message.text}</p>
        {session.status === 'completed' && <p>{t.completed.next(organisationName)}</p>}
      </section>
      {handedIn.length > 0 && (
        <Card title={t.handedIn.title}>
          <p>{t.handedIn.text}</p>
          {handedIn.map((one, at) => (
            <Answer key={at} {...one} language={visit.briefing.language} />
          ))}
        </Card>
      )}
      {kept.length > 0 && <NotSent t={t.kept} drafts={kept} language={visit.briefing.language} />}
      {evaluation?.result && (
        <Result app={app} result={evaluation.result} explanation={evaluation.explanation} />
      )}
      {evaluation?.result && contests}
      {session.status === 'completed' && <Rating app={app} sessionId={session.id} />}
      <Card title={t.receiptTitle}>
        <dl>
          <Entry name={t.organisation}>{organisationName}</Entry>
          <Entry name={t.role}>{application.roleName}</Entry>
          {session.startedAt && <Entry name={t.started}>{dateTime(language, session.startedAt)}</Entry>}
          {session.endedAt && <Entry name={t.ended}>{dateTime(language, session.endedAt)}</Entry>}
          <Entry name={t.reference}>
            <code>{application.id}</code>
          </Entry>
        </dl>
      </Card>
      {!evaluation?.result && contests}
      <Data app={app} />
      <Erasure app={app} visit={visit} />
    </Screen>
  );
};

/** Texts of the interview that did not reach the service. */
const NotSent = ({
  t,
  drafts,
  language,
}: {
  readonly t: PageTexts['after']['kept'];
  readonly drafts: readonly Draft[];
  readonly language: string;
}) => {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Card title={t.title}>
      <p>{t.text}</p>
      {drafts.map((one) => (
        <Answer key={`${one.kind} ${one.turn}`} {...one} language={language}>
          <button class="button quiet" type="button" onClick={() => copy(one.text)}>
            {t.copy}
          </button>
        </Answer>
      ))}
      <Status tone={copied === false ? 'bad' : 'good'}>
        {copied !== null && (copied ? t.copied : t.notCopied)}
      </Status>
    </Card>
  );
};

/** A text of the interview below its question, as it was asked. */
const Answer = ({
  question,
  text,
  language,
  children,
}: {
  readonly question?: string;
  readonly text: string;
  /** Of the interview. */
  readonly language: string;
  readonly children?: ComponentChildren;
}) => (
  <div>
    {question && <h3 lang={language}>{question}</h3>}
    <p class="answer later">{text}</p>
    {children}
  </div>
);

const Entry = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Downloads everything that is stored about the candidate. @returns whether it succeeded */
const downloadData = async (app: App): Promise<boolean> => {
  const data = await app.attempt('file', (signal) =>
    app.api.get<unknown>('me/export', { limitMs: LARGE_MS, signal }),
  );
  if (!('done' in data)) return false;
  const text = JSON.stringify(data.done, null, 2);
  download(new Blob([text], { type: 'application/json' }), 'assay-my-data.json');
  return true;
};

const Data = ({ app }: { readonly app: App }) => {
  const t = app.t.value.after;
  const [state, setState] = useState<'idle' | 'exporting' | 'exported' | 'failed'>('idle');
  const sentence = { idle: '', exporting: t.exporting, exported: t.exported, failed: t.exportFailed }[state];
  return (
    <Card title={t.dataTitle}>
      <p>{t.dataText}</p>
      <button
        class="button quiet"
        type="button"
        aria-disabled={state === 'exporting'}
        onClick={() => {
          if (state === 'exporting') return;
          setState('exporting');
          void downloadData(app).then((done) => setState(done ? 'exported' : 'failed'));
        }}
      >
        {t.export}
      </button>
      <Status tone={state === 'failed' ? 'bad' : 'good'}>{sentence}</Status>
    </Card>
  );
};
