import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { SessionBuilder } from '../../../test/support/evidence-builder.js';
import { findingsOf } from '../../../test/support/findings.js';
import type { IntegrityFinding } from '../../domain/evaluation/events.js';
import { currentRuleSet, ruleSets } from '../rule-sets.js';
import { FINDING_KINDS } from './find.js';

const rules = currentRuleSet.integrity;

const findings = (
  build: (session: SessionBuilder) => SessionBuilder,
  end?: number,
): readonly IntegrityFinding[] => findingsOf(build, end === undefined ? {} : { end });
const kinds = (found: readonly IntegrityFinding[]): string[] => found.map(({ kind }) => kind);

describe('integrity findings', () => {
  it('come in the order of the evidence, then by kind', () => {
    const found = findings((session) =>
      [1, 2, 3, 4, 5]
        .reduce((s, at) => s.message('Hello.', at), session.started())
        .activity('page.hidden', {}, 6)
        .activity('clipboard.pasted', { characters: 300, nonBlankCharacters: 300 }, 7)
        .activity('page.shown', {}, 40)
        .message('Back.', 60),
    );
    expect(kinds(found)).toEqual(['identity_verified', 'focus_lost', 'paste_burst', 'response_gap_outlier']);
  });

  it('keep the strongest of a kind where there are too many', () => {
    let session = new SessionBuilder();
    for (let n = 0; n < 500; n += 1)
      session = session.activity('clipboard.pasted', {
        characters: 900,
        nonBlankCharacters: 200 + (n % 250),
      });
    const found = findings(() => session);
    expect(found).toHaveLength(rules.maxFindingsPerKind);
    // Two pastes of each size from 200 to 449: the largest forty are two of each from 430 on.
    expect(Math.min(...found.map(({ inputs }) => Number(inputs!['nonBlankCharacters'])))).toBe(430);
  });

  it('are of the kinds that the rule set has, and of no others', () => {
    const session = (s: SessionBuilder) =>
      s
        .started()
        .activity('network.changed')
        .activity('fullscreen.exited')
        .activity('clipboard.pasted', { characters: 300, nonBlankCharacters: 300, source: 'prompt' })
        .identityChecked('mismatch')
        .activity('page.hidden', {}, 400)
        .activity('page.shown', {}, 500)
        .connected(null, { connectionId: 'one' })
        .connected('one');
    const of = (name: string) =>
      kinds(findingsOf(session, { rules: ruleSets.find((ruleSet) => ruleSet.name === name)!.integrity }));
    expect(of('r1')).toEqual(['identity_verified', 'paste_burst', 'focus_lost']);
    expect(of('r2')).toEqual([
      'identity_verified',
      'network_changed',
      'fullscreen_exited',
      'paste_burst',
      'prompt_copied',
      'activity_gap',
      'identity_mismatch',
      'focus_lost',
      'concurrent_connection',
    ]);
  });

  it('never fail on payloads of any shape, and find nothing in them', () => {
    const names = fc.constantFrom(
      'message.sent',
      'clipboard.pasted',
      'page.hidden',
      'page.shown',
      'interview.connected',
      'trial.identity_checked',
      'trial.started',
    );
    const odd = fc.oneof(
      fc.anything({ withNullPrototype: true }),
      fc.constant(JSON.parse('{"__proto__":{"nonBlankCharacters":900}}') as unknown),
      fc.record({
        nonBlankCharacters: fc.constantFrom(1e308, -1, 1.5, '900', null, [900], { valueOf: 900 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(names, odd)), (activities) => {
        const found = findings(
          (session) =>
            activities.reduce(
              (s, [name, payload]) => s.activity(name, payload as Record<string, unknown>, 0),
              session,
            ),
          0,
        );
        expect(found).toEqual([]);
      }),
    );
  });
});

describe('the documentation', () => {
  it('lists every kind of finding, and no other', async () => {
    const page = await readFile(new URL('../../../docs/evaluations.md', import.meta.url), 'utf8');
    const [, table] = page.split(/^\| kind /m);
    const listed = [...table!.split('\n\n')[0]!.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind);
    expect(listed.sort()).toEqual([...FINDING_KINDS].sort());
  });
});
