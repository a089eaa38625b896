import { useState } from 'preact/hooks';
import type { App } from '../app.js';
import { dateTime } from '../clock.js';
import { AskingButton, Card, Status } from '../parts.js';
import type { OwnApplication } from '../../packages/client/src/contract.js';

/** Ends the assessment. */
export const Withdraw = ({ app }: { readonly app: App }) => {
  const t = app.t.value.withdraw;
  const [failed, setFailed] = useState(false);
  return (
    <details class="leave">
      <summary>{t.title}</summary>
      <p>{t.text}</p>
      <AskingButton t={t} confirm={() => void app.withdraw().then((done) => setFailed(!done))} />
      {failed && <Status tone="bad">{t.failed}</Status>}
    </details>
  );
};

/** Asks staff to erase the candidate, once. */
export const Erasure = ({
  app,
  application,
  organisationName,
}: {
  readonly app: App;
  readonly application: OwnApplication;
  readonly organisationName: string | null;
}) => {
  const t = app.t.value.erasure;
  const [requestedAt, setRequestedAt] = useState(application.erasureRequestedAt);
  const [failed, setFailed] = useState(false);
  const asked = requestedAt === null ? '' : t.asked(dateTime(app.language.value, requestedAt));
  return (
    <Card title={t.title}>
      <p>{t.text(organisationName)}</p>
      {requestedAt === null && (
        <AskingButton
          t={t}
          confirm={() =>
            void app.askForErasure().then((at) => {
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
