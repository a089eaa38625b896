import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { AssayError, type CandidateImport, type Role } from '../../../packages/client/src/index.js';
import { download } from '../../shared/download.js';
import { queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { CheckedRows, Faults } from '../import/checked.js';
import type { Checked } from '../import/checked.js';
import { faultsOf, MAX_BYTES, textOf } from '../import/rows.js';
import { useTexts } from '../import/texts.js';
import { FileField } from '../parts/file.js';
import { Choice, FormEnd, useCommand } from '../parts/form.js';
import { Moment, Page } from '../parts/layout.js';
import { Failure, Loaded, useLoading } from '../parts/load.js';
import { Table } from '../parts/table.js';

/** Invites many by a file: its rows are checked and shown first. */
const ImportPage = () => {
  const { client, t, orgId } = usePlace();
  const words = useTexts();
  const roles = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const imports = useLoading(
    (signal) => client.get('/organisations/{orgId}/imports', { params: { orgId, limit: 20 }, signal }),
    [orgId],
  );
  const template = useCommand();
  const saveTemplate = async (): Promise<void> => {
    const file = await client.get('/organisations/{orgId}/import-template', { params: { orgId } });
    download(new Blob([file as Uint8Array<ArrayBuffer>], { type: 'text/csv' }), 'candidates.csv');
  };
  return (
    <Page
      title={words.title}
      above={{ label: t.candidates.title, page: 'candidates' }}
      actions={
        <button
          class="button quiet"
          type="button"
          aria-disabled={template.isRunning}
          onClick={() => void template.run(saveTemplate)}
        >
          {words.template}
        </button>
      }
    >
      {template.error !== undefined && <Failure error={template.error} />}
      <p>{words.text}</p>
      <Loaded of={roles} what={t.roles.what}>
        {({ items }) => <Upload roles={items} />}
      </Loaded>
      <Loaded of={imports} what={words.whatFormer}>
        {({ items }) => items.length > 0 && <Former imports={items} roles={roles.data?.items ?? []} />}
      </Loaded>
    </Page>
  );
};
export default ImportPage;

/** Chooses the role and the file, shows what the file would invite, and begins the import. */
const Upload = ({ roles }: { readonly roles: readonly Role[] }) => {
  const { client, t, orgId, to } = usePlace();
  const words = useTexts();
  const { query, route } = useLocation();
  const ready = roles.filter(({ status, archivedAt }) => status === 'ready' && archivedAt === null);
  const role = ready.find(({ id }) => id === query['role']) ?? ready[0];
  const [file, setFile] = useState<{ readonly csv: string; readonly rows: readonly Checked[] } | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const check = useCommand();
  const begin = useCommand();
  if (!role) return <p class="note">{words.noRole}</p>;
  const forget = (): void => {
    setFile(null);
    setWrong(null);
    check.forget();
    begin.forget();
  };
  const choose = async (chosen: File | undefined): Promise<void> => {
    if (!chosen || check.isRunning) return;
    forget();
    const csv = chosen.size > MAX_BYTES ? null : textOf(new Uint8Array(await chosen.arrayBuffer()));
    if (csv === null) {
      setWrong(chosen.size > MAX_BYTES ? words.tooLarge : words.notText);
      return;
    }
    await check.run(async () => {
      const { rows } = await client.post('/organisations/{orgId}/import-checks', {
        params: { orgId },
        body: { csv },
      });
      setFile({ csv, rows });
    });
  };
  const faults = check.error instanceof AssayError ? faultsOf(check.error.details) : [];
  return (
    <section class="card">
      <Choice
        label={t.roles.name}
        value={role.id}
        change={(id) => route(to('candidates/import' + queryWith(query, { role: id })), true)}
        options={ready.map(({ id, name }) => [id, name] as const)}
      />
      {file === null ? (
        <FileField
          label={words.file}
          hint={words.drop}
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
          choose={(chosen) => void choose(chosen)}
          wrong={wrong}
          status={check.isRunning && words.checking}
        />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void begin.run(async () => {
              const { id } = await client.post('/organisations/{orgId}/roles/{roleId}/imports', {
                params: { orgId, roleId: role.id },
                body: { csv: file.csv },
              });
              route(to(`candidates/imports/${id}`));
            });
          }}
        >
          <CheckedRows rows={file.rows} />
          <p>
            <strong>{words.confirm(file.rows.length, role.name)}</strong>
          </p>
          <FormEnd command={begin} label={words.begin(file.rows.length)}>
            <button class="button quiet" type="button" onClick={forget}>
              {words.other}
            </button>
          </FormEnd>
        </form>
      )}
      {faults.length > 0 ? (
        <Faults faults={faults} />
      ) : (
        check.error !== undefined && <Failure error={check.error} />
      )}
    </section>
  );
};

/** The imports so far, newest first. */
const Former = ({
  imports,
  roles,
}: {
  readonly imports: readonly CandidateImport[];
  readonly roles: readonly Role[];
}) => {
  const { to } = usePlace();
  const words = useTexts();
  return (
    <section>
      <h2>{words.former}</h2>
      <Table<CandidateImport>
        caption={words.former}
        rows={imports}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'when',
            head: words.when,
            cell: ({ id, createdAt }) => (
              <a href={to(`candidates/imports/${id}`)}>
                <Moment at={createdAt} withTime />
              </a>
            ),
          },
          {
            key: 'role',
            head: words.role,
            cell: ({ roleId }) => roles.find(({ id }) => id === roleId)?.name ?? '–',
          },
          {
            key: 'invited',
            head: words.progress,
            cell: ({ invitedCount, rowCount }) => words.of(invitedCount, rowCount),
          },
        ]}
      />
    </section>
  );
};
