import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { rotateSecretLimits, type Webhook } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Asking, Opening } from '../parts/dialog.js';
import { Field, FormEnd, showField, useCommand } from '../parts/form.js';
import { Moment, Page } from '../parts/layout.js';
import { Failure, Loaded, useLoading } from '../parts/load.js';
import { readNewer } from '../parts/newer.js';
import { wholeIn } from '../parts/problems.js';
import { removed } from '../parts/removed.js';
import { Secret } from '../parts/secret.js';
import { Deliveries } from './settings-deliveries.js';

/** A webhook: its events, its deliveries, and the buttons that test it, replace its secret or remove it. */
const WebhookPage = () => {
  const { client, t, orgId, to } = usePlace();
  const { route } = useLocation();
  const { webhookId = '' } = useRoute().params;
  const words = t.settings.webhooks;
  const params = { orgId, webhookId };
  const webhook = useLoading(
    (signal) => client.get('/organisations/{orgId}/webhooks/{webhookId}', { params, signal }),
    [orgId, webhookId],
  );
  /** Test notices sent from this page: the list of deliveries is read again with each. */
  const [sent, setSent] = useState(0);
  const test = useCommand();
  const sendTest = (): Promise<boolean> =>
    test.run(async () => {
      await client.post('/organisations/{orgId}/webhooks/{webhookId}/test', { params });
      setSent((count) => count + 1);
    });
  const one = webhook.data;
  const newer = async (): Promise<void> => {
    const read = () => client.get('/organisations/{orgId}/webhooks/{webhookId}', { params });
    if (one) webhook.set(await readNewer(read, one.version));
  };
  return (
    <Page
      title={one?.url ?? t.settings.pages.webhooks}
      above={{ label: t.settings.pages.webhooks, page: 'settings/webhooks' }}
      actions={
        one && (
          <>
            <button
              class="button"
              type="button"
              aria-disabled={test.isRunning}
              onClick={() => void sendTest()}
            >
              {words.test}
            </button>
            <Rotate webhook={one} rotated={webhook.reload} newer={newer} />
            <Asking
              label={words.remove}
              title={words.removeTitle}
              text={words.removeText}
              danger
              renew={newer}
              work={async () => {
                await removed(
                  client.delete('/organisations/{orgId}/webhooks/{webhookId}', {
                    params,
                    ifMatch: one.version,
                  }),
                );
                route(to('settings/webhooks'));
              }}
            />
          </>
        )
      }
    >
      {test.error !== undefined && <Failure error={test.error} />}
      <Loaded of={webhook} what={words.whatOne}>
        {({ id, events, createdAt, formerSecretValidUntil }) => (
          <>
            <section class="card">
              <dl>
                <div>
                  <dt>{words.events}</dt>
                  <dd>{events.map((event) => words.types[event]).join(', ')}</dd>
                </div>
                <div>
                  <dt>{words.created}</dt>
                  <dd>
                    <Moment at={createdAt} withTime />
                  </dd>
                </div>
                {formerSecretValidUntil !== null && (
                  <div>
                    <dt>{words.formerUntil}</dt>
                    <dd>
                      <Moment at={formerSecretValidUntil} withTime />
                    </dd>
                  </div>
                )}
              </dl>
            </section>
            <Deliveries webhookId={id} sent={sent} />
          </>
        )}
      </Loaded>
    </Page>
  );
};
export default WebhookPage;

/** For how long the former secret stays valid, unless the user changes it. */
const DEFAULT_HOURS = '24';

interface RotateProps {
  readonly webhook: Webhook;
  /** Reads it again, for a command that named a version that is no longer the newest. */
  readonly newer: () => Promise<void>;
}

/** Replaces the secret, and shows the new one once. @param rotated called when the user closes the new secret */
const Rotate = ({ webhook, newer, rotated }: RotateProps & { readonly rotated: () => void }) => {
  const words = usePlace().t.settings.webhooks;
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Opening label={words.rotate} text={words.rotateText}>
        {(close) => (
          <Rotating
            webhook={webhook}
            newer={newer}
            close={close}
            made={(made) => {
              close();
              setSecret(made);
            }}
          />
        )}
      </Opening>
      {secret !== null && (
        <Secret
          title={words.made}
          text={words.madeText}
          label={words.secret}
          value={secret}
          done={() => {
            setSecret(null);
            rotated();
          }}
        />
      )}
    </>
  );
};

const Rotating = ({
  webhook,
  newer,
  made,
  close,
}: RotateProps & { readonly made: (secret: string) => void; readonly close: () => void }) => {
  const { client, t, orgId } = usePlace();
  const words = t.settings.webhooks;
  const [hours, setHours] = useState(DEFAULT_HOURS);
  const command = useCommand(newer);
  const formerSecretValidHours = wholeIn(hours, rotateSecretLimits.formerSecretValidHours);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (formerSecretValidHours === null) {
          showField('formerSecretValidHours');
          return;
        }
        void command.run(async () => {
          const { secret } = await client.post('/organisations/{orgId}/webhooks/{webhookId}/rotate-secret', {
            params: { orgId, webhookId: webhook.id },
            body: { formerSecretValidHours },
            ifMatch: webhook.version,
          });
          made(secret);
        });
      }}
    >
      <Field
        label={words.rotateHours}
        value={hours}
        change={setHours}
        name="formerSecretValidHours"
        digits
        wrong={formerSecretValidHours === null ? words.rotateWrong : null}
      />
      <FormEnd
        command={command}
        label={words.rotate}
        conflict={{ limit: words.fullOfSecrets }}
        cancel={close}
      />
    </form>
  );
};
