import { expect, it } from '@jest/globals';
import { evaluations } from '../../../projections/evaluations.js';
import { evidence } from '../../../projections/evidence.js';
import { SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { foldView } from '../../../test/support/given-view.js';
import type { Reads } from '../../application/reads.js';
import type { Position } from '../../core/event-store.js';
import { type FoundEvaluation, StaffEvaluations } from './staff-evaluations.js';

it('joins an interview to its evaluation while that is still generating, at the evaluation’s own position', async () => {
  let builder = new SessionBuilder().started();
  for (let n = 0; n < 60; n++) builder = builder.asked(`Question ${n}?`).answered(`Answer ${n}.`);
  const session = builder.completed();
  const position = session.at(-1)!.position;
  const chunks = [...foldView(evidence, session)].map(([id, { document }]) => ({ id, document }));
  const asked: Position[] = [];
  const reads = {
    getAt: () => Promise.resolve(null),
    // A document a page: the next cursor is the place of the next one.
    listAt: (
      _view: unknown,
      _index: unknown,
      prefix: unknown,
      list: { cursor: string | null },
      at: Position,
    ) => {
      expect(prefix).toEqual([testId(5, 1)]);
      asked.push(at);
      const place = Number(list.cursor ?? 0);
      const nextCursor = place + 1 < chunks.length ? String(place + 1) : null;
      return Promise.resolve({ items: [chunks[place]], nextCursor });
    },
  };
  const { document } = foldView(evaluations, session).get(testId(8, 1))!;
  const found = { document, position } as FoundEvaluation;
  const staff = new StaffEvaluations(reads as unknown as Reads);
  const record = await staff.record(found, null, { consistencyToken: null });
  expect(record).toMatchObject({ status: 'generating', scores: [] });
  expect(record?.evidence.events).toHaveLength(122);
  expect(record?.evidence.questions.map(({ turn, text, answer }) => [turn, text, answer])).toEqual(
    Array.from({ length: 60 }, (_, n) => [n + 1, `Question ${n}?`, `Answer ${n}.`]),
  );
  expect(asked).toEqual(chunks.map(() => position));
});
