import { useRoute } from 'preact-iso/router';
import type { CandidateImport } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { useTexts } from '../import/texts.js';
import { useFollow } from '../parts/follow.js';
import { NotSent, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Table } from '../parts/table.js';

type Refused = CandidateImport['refused'][number];

/** The progress of an import, and the rows that were not invited. The import continues if the page is closed. */
const ImportProgressPage = () => {
  const { console, client, t, orgId, to } = usePlace();
  const words = useTexts();
  const { importId = '' } = useRoute().params;
  const read = (signal: AbortSignal) =>
    client.get('/organisations/{orgId}/imports/{importId}', { params: { orgId, importId }, signal });
  const one = useLoading(read, [orgId, importId]);
  const byCode: Readonly<Partial<Record<string, string>>> = t.failure.byCode;
  const settled = ({ invitedCount, refused }: CandidateImport): number => invitedCount + refused.length;
  const { data } = one;
  const isLost = useFollow(
    data?.status === 'running',
    async (signal) => {
      const next = await read(signal);
      return data !== undefined && (next.status !== data.status || settled(next) !== settled(data));
    },
    one.reload,
    [data && settled(data)],
  );
  return (
    <Page title={words.one} above={{ label: words.title, page: 'candidates/import' }}>
      <Loaded of={one} what={words.whatOne}>
        {(found) => (
          <>
            <section class="card">
              <p role="status">
                <strong>{words.invited(found.invitedCount, found.rowCount)}</strong>{' '}
                {found.status === 'running' ? words.running : words.finished}
              </p>
              <progress
                value={settled(found)}
                max={found.rowCount}
                aria-label={words.invited(found.invitedCount, found.rowCount)}
              />
              {isLost && <p class="soft small">{words.lost}</p>}
              <p>
                <a href={to(`candidates?role=${found.roleId}`)}>{words.toCandidates}</a>
              </p>
              <NotSent console={console} />
            </section>
            {found.refused.length > 0 && (
              <section>
                <h2>{words.refused(found.refused.length)}</h2>
                <Table<Refused>
                  caption={words.refused(found.refused.length)}
                  rows={found.refused}
                  rowKey={({ row }) => `${row}`}
                  columns={[
                    { key: 'row', head: words.row, cell: ({ row }) => row },
                    {
                      key: 'why',
                      head: words.why,
                      // The service's own sentences are English.
                      cell: ({ code, reason }) => byCode[code] ?? <span lang="en">{reason}</span>,
                    },
                  ]}
                />
              </section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
};
export default ImportProgressPage;
