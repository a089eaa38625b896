import { expect, it } from '@jest/globals';
import { readCsv } from '../../application/csv.js';
import type { Reads } from '../../application/reads.js';
import type { RequestContext } from '../../core/command-context.js';
import type { RequestMeta } from '../../http/meta.js';
import type { ApplicationLists } from '../applications/lists.js';
import type { Commands } from '../cqrs/commands.js';
import type { EvaluationSummaries } from '../evaluations/summaries.js';
import { DataExportsController } from './data-exports.js';

it('an export has every page of its list, in the order of the pages', async () => {
  const pages = [['a', 'b'], [], ['c']];
  const asked: (string | null)[] = [];
  const selected = async (
    _org: string,
    _selected: object,
    { cursor }: { readonly cursor: string | null },
  ) => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    const items = pages[at]!.map((id) => ({ id, trialSessions: [], outcome: null }));
    return { items, nextCursor: at + 1 < pages.length ? `${at + 1}` : null };
  };
  const controller = new DataExportsController(
    { execute: async () => undefined } as unknown as Commands,
    { selected } as unknown as ApplicationLists,
    {} as unknown as EvaluationSummaries,
    {} as unknown as Reads,
  );
  const meta = { method: 'GET' } as RequestMeta;
  const member = { subject: 'rita' } as never;
  const { body } = await controller.exportApplications('o', {}, null, meta, {} as RequestContext, member);
  const { header, rows } = readCsv(String(body));
  expect(rows.map(({ cells }) => cells[header.indexOf('applicationId')])).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual([null, '1', '2']);
});
