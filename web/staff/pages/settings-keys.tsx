import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import {
  type ApiKey,
  type ApiKeyScope,
  apiKeyScopeValues,
  createApiKeyLimits,
} from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Asking, Opening } from '../parts/dialog.js';
import { Field, FormEnd, Several, showField, useCommand, wrongOf } from '../parts/form.js';
import { Badge, Empty, Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { wholeIn } from '../parts/problems.js';
import { Secret } from '../parts/secret.js';
import { Settings } from '../parts/settings.js';
import { Pager, Table } from '../parts/table.js';

/** The keys that programs call the API with, ended ones too. */
const Keys = () => {
  const { client, t, orgId } = usePlace();
  const { query } = useLocation();
  const words = t.settings.keys;
  const keys = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/api-keys', {
        params: { orgId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, query['after']],
  );
  const nameOf = ({ name }: ApiKey): string => name ?? words.unnamed;
  return (
    <Settings name="keys" actions={<Make made={keys.reload} />}>
      <p class="soft">{words.text}</p>
      <Loaded of={keys} what={words.what}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <>
              <Table<ApiKey>
                caption={t.settings.pages.keys}
                rows={items}
                rowKey={({ id }) => id}
                columns={[
                  { key: 'name', head: words.name, cell: nameOf },
                  {
                    key: 'status',
                    head: words.status,
                    cell: ({ status }) => (
                      <Badge tone={status === 'active' ? 'good' : ''}>{words.statuses[status]}</Badge>
                    ),
                  },
                  {
                    key: 'scopes',
                    head: words.scopes,
                    cell: ({ scopes }) => (
                      <span class="small">{scopes.map((one) => words.scope[one]).join(', ')}</span>
                    ),
                  },
                  {
                    key: 'used',
                    head: words.lastUsed,
                    cell: ({ lastUsedAt }) =>
                      lastUsedAt === null ? words.never : <Moment at={lastUsedAt} withTime />,
                  },
                  {
                    key: 'expires',
                    head: words.expires,
                    cell: ({ expiresAt }) => <Moment at={expiresAt} />,
                  },
                  {
                    key: 'revoke',
                    acts: true,
                    head: t.settings.members.actions,
                    cell: (one) =>
                      one.status === 'active' && (
                        <Asking
                          label={words.revoke}
                          name={words.revokeOf(nameOf(one))}
                          title={words.revokeTitle(nameOf(one))}
                          text={words.revokeText}
                          danger
                          small
                          work={async () => {
                            await client.delete('/organisations/{orgId}/api-keys/{apiKeyId}', {
                              params: { orgId, apiKeyId: one.id },
                            });
                            keys.reload();
                          }}
                        />
                      ),
                  },
                ]}
              />
              <Pager page="settings/keys" query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Settings>
  );
};
export default Keys;

/** Makes a key, and shows it once. */
const Make = ({ made }: { readonly made: () => void }) => {
  const words = usePlace().t.settings.keys;
  const [token, setToken] = useState<string | null>(null);
  if (token !== null)
    return (
      <Secret
        title={words.made}
        text={words.madeText}
        label={words.token}
        value={token}
        done={() => {
          setToken(null);
          made();
        }}
      />
    );
  return (
    <Opening look="main" label={words.make}>
      {(close) => <Making made={setToken} close={close} />}
    </Opening>
  );
};

/** The form of a key with some of the maker's own permissions. */
const Making = ({ made, close }: { readonly made: (token: string) => void; readonly close: () => void }) => {
  const { client, t, orgId, may } = usePlace();
  const words = t.settings.keys;
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>([]);
  const [days, setDays] = useState('90');
  const [isTried, setTried] = useState(false);
  const command = useCommand();
  const expiresInDays = wholeIn(days, createApiKeyLimits.expiresInDays);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (expiresInDays === null) showField('expiresInDays');
        if (scopes.length === 0 || expiresInDays === null) return;
        void command.run(async () => {
          const { token } = await client.post('/organisations/{orgId}/api-keys', {
            params: { orgId },
            body: { name: name.trim(), scopes: [...scopes], expiresInDays },
          });
          made(token);
        });
      }}
    >
      <Field
        label={words.name}
        required
        value={name}
        change={setName}
        hint={words.nameHint}
        wrong={wrongOf(command.error, 'name', t.failure)}
      />
      <Field
        label={words.days}
        value={days}
        change={setDays}
        name="expiresInDays"
        digits
        hint={words.daysHint}
        wrong={expiresInDays === null ? words.daysWrong : wrongOf(command.error, 'expiresInDays', t.failure)}
      />
      <Several<ApiKeyScope>
        label={words.scopes}
        chosen={scopes}
        change={setScopes}
        options={apiKeyScopeValues.filter(may).map((one) => [one, words.scope[one]] as const)}
        wrong={isTried && scopes.length === 0 ? words.noScope : null}
      />
      <FormEnd command={command} label={words.make} conflict={{ limit: words.full }} cancel={close} />
    </form>
  );
};
