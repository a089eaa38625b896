import { useState } from 'preact/hooks';
import type { ErasureRequest, OwnTrialSession } from '../../packages/client/src/contract.js';
import { dateTime } from '../shared/clock.js';
import { AskingButton, Card, Status } from '../shared/components.js';
import type { App } from './app.js';
import type { Visit } from './state.js';

interface WithdrawProps {
  readonly app: App;
  readonly session: OwnTrialSession;
}

/** @returns whether the withdrawal ended the session */
const withdraw = async ({ app, session: { id } }: WithdrawProps): Promise<boolean> => {
  const withdrawn = await app.attempt('sending', (signal) =>
    app.api.post<OwnTrialSession>(`trial-sessions/${id}/withdraw`, {}, { signal }),
  );
  if ('done' in withdrawn) app.change({ type: 'session', session: withdrawn.done });
  // The session has ended in another way, or its status has changed.
  else if (withdrawn.failure.status === 409) await app.load();
  return 'done' in withdrawn;
};

/** Ends the assessment. */
export const Withdraw = ({ app, session }: WithdrawProps) => {
  const t = app.t.value.withdraw;
  const [failed, setFailed] = useState(false);
  return (
    <details class="leave">
      <summary>{t.title}</summary>
      <p>{t.text}</p>
      <AskingButton t={t} confirm={() => void withdraw({ app, session }).then((done) => setFailed(!done))} />
      {failed && <Status tone="bad">{t.failed}</Status>}
    </details>
  );
};

/** @returns the time of the request; `null`: it was not sent */
const askForErasure = async (app: App, applicationId: string): Promise<string | null> => {
  const asked = await app.attempt('sending', (signal) =>
    app.api.post<ErasureRequest>(`applications/${applicationId}/erasure-requests`, {}, { signal }),
  );
  return 'done' in asked ? asked.done.requestedAt : null;
};

/** Asks staff to erase the candidate, once. */
export const Erasure = ({
  app,
  visit: { application, briefing },
}: {
  readonly app: App;
  readonly visit: Visit;
}) => {
  const t = app.t.value.erasure;
  const [requestedAt, setRequestedAt] = useState(application.erasureRequestedAt);
  const [failed, setFailed] = useState(false);
  const asked = requestedAt === null ? '' : t.asked(dateTime(app.language.value, requestedAt));
  return (
    <Card title={t.title}>
      <p>{t.text(briefing.organisationName)}</p>
      {requestedAt === null && (
        <AskingButton
          t={t}
          confirm={() =>
            void askForErasure(app, application.id).then((at) => {
              setFailed(at === null);
              setRequestedAt(at);
            })
          }
        />
      )}
      <Status tone={failed ? 'bad' : 'good'}>{failed ? t.failed : asked}</Status>
    </Card>
  );
};
