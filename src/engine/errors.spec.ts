import { describe, expect, it } from '@jest/globals';
import { accounts } from '../../test/support/projection-rig.js';
import { storedEvents } from '../../test/support/stored-events.js';
import { discreetReason, placesOf } from './errors.js';
import { foldGuard } from './fold/fold-guard.js';
import { Folding, foldTogether } from './fold/folding.js';

const SECRET = 'carol@example.org';
const KEPT_BACK = 'its message is withheld, since it quotes personal data.';

const thrown = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('What is told of an error', () => {
  it.each<[string, () => unknown]>([
    ['the whole text', () => new Error(`No ${SECRET}.`)],
    ['a text that the JSON parser cut off', (): unknown => JSON.parse(SECRET)],
    ['a text in the middle of others', (): unknown => JSON.parse(`{"a": ${SECRET} or so}`)],
    ['a text that is no number', () => BigInt(SECRET)],
    ['a key', () => Object.assign(Object.freeze({ [SECRET]: 0 }), { [SECRET]: 1 })],
  ])('leaves out %s', (_, work) => {
    const reason = discreetReason(thrown(work), [{ to: [{ email: SECRET }] }]);
    expect(reason).toContain(KEPT_BACK);
    expect(reason).not.toMatch(/carol|example/);
  });

  it('leaves out a name that quotes, short texts, and numbers', () => {
    const named = Object.assign(new Error('No.'), { name: SECRET });
    expect(discreetReason(named, [SECRET])).toBe(`Error: ${KEPT_BACK}`);
    expect(discreetReason(new RangeError('Not Ann.'), ['Ann'])).toBe(`RangeError: ${KEPT_BACK}`);
    expect(discreetReason(new RangeError('Not 4711.'), [{ pin: 4711 }])).toBe(`RangeError: ${KEPT_BACK}`);
    expect(discreetReason(SECRET, [SECRET])).toBe(`Error: ${KEPT_BACK}`);
  });

  it('is all that it says where it quotes nothing personal, but no book', () => {
    expect(discreetReason(new TypeError('x is not a function'), [{ email: SECRET }, null])).toBe(
      'TypeError: x is not a function',
    );
    expect(discreetReason(new Error('y'.repeat(10_000)), []).length).toBeLessThan(510);
  });

  it('is where it came from, without a line that it says', () => {
    const places = placesOf(new Error(`first\nsecond ${SECRET}\n    at third ${SECRET}`));
    expect(places).toContain('errors.spec');
    expect(places).not.toContain(SECRET);
    expect(placesOf('none')).toBeNull();
  });
});

describe('What a fold keeps of an error', () => {
  const [event] = storedEvents([
    { type: 'added', data: { account: 'a', amount: 1 }, person: 'p', personal: { note: SECRET } },
  ]);

  it.each<[string, Partial<typeof accounts>]>([
    ['the fold', { evolve: (_, { personal }) => JSON.parse((personal as { note: string }).note) as never }],
    [
      'an index',
      {
        evolve: (document, { person, personal }) => ({ ...document, person, personal }),
        keys: { note: ({ personal }) => BigInt((personal as { note: string }).note) as unknown as number },
      },
    ],
  ])('of %s quotes nothing personal', async (_, code) => {
    const folding = new Folding({ ...accounts, ...code }, 'a', null, [event!]);
    await foldTogether(foldGuard, [folding]);
    expect(folding.refusal?.reason).toContain(KEPT_BACK);
    expect(folding.refusal?.reason).not.toMatch(/carol|example/);
  });
});
