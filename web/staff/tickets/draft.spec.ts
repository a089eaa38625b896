import { describe, expect, it } from '@jest/globals';
import type { Ticket } from '../../../packages/client/src/index.js';
import { CONSOLE_TEXTS } from '../../../src/languages/languages.js';
import { bodyOf, differencesOf, draftOf, newLink, problemsOf, type TicketDraft, wordsIn } from './draft.js';

const files = (id: string) => ({
  ...{ id, name: `${id}.zip`, bytes: 3, sha256: '', treeSha256: '' },
  files: [{ path: 'a.ts', bytes: 3, sha256: '' }],
});

const ticket: Ticket = {
  ...{ id: 't', organisationId: 'o', title: 'Parser', description: 'Read *it*.', estimatedMinutes: 45 },
  links: [{ title: 'Code', url: 'https://git.example.org/a' }],
  ...{ kind: 'files', starter: files('starter'), version: 3, createdAt: '', updatedAt: '' },
  checks: { visible: null, hidden: files('hidden'), slug: 'parser', isolation: 'shared' },
};
const draft = draftOf(ticket);
const with_ = (part: Partial<TicketDraft>): TicketDraft => ({ ...draft, ...part });

describe('a ticket as it is typed', () => {
  it('is saved as it was read, if nothing was changed', () => {
    expect(bodyOf(draft)).toEqual({
      ...{ title: 'Parser', description: 'Read *it*.', estimatedMinutes: 45, links: ticket.links },
      ...{ kind: 'files', starter: 'starter' },
      checks: { visible: null, hidden: 'hidden', slug: 'parser', isolation: 'shared' },
    });
    expect(problemsOf(draft).size).toBe(0);
    expect(differencesOf(draft, draftOf(ticket))).toEqual([]);
  });

  it('is saved without the spaces around a title that was pasted, and they count as no change', () => {
    const pasted = with_({
      ...{ title: ' Parser ', estimatedMinutes: ' 45 ', slug: 'parser ' },
      links: draft.links.map((one) => ({ ...one, title: ` ${one.title}`, url: ` ${one.url}` })),
    });
    expect(bodyOf(pasted)).toEqual(bodyOf(draft));
    expect(differencesOf(pasted, draft)).toEqual([]);
  });

  it('is shown after a conflict in words: no code, no id', () => {
    const { tickets, ticket: words } = CONSOLE_TEXTS.de;
    const wordsOf = wordsIn({ kinds: tickets.kinds, isolations: words.isolations });
    expect(wordsOf(draft, 'kind')).toBe(tickets.kinds.files);
    expect(wordsOf(with_({ kind: '' }), 'kind')).toBe(tickets.kinds.none);
    expect(wordsOf(draft, 'isolation')).toBe(words.isolations.shared);
    expect(wordsOf(draft, 'hidden')).toBe('hidden.zip\na.ts');
  });

  it('leaves out what is empty, and files of which its kind takes none', () => {
    const emptied = with_({ description: ' ', estimatedMinutes: '', links: [] });
    expect(bodyOf(emptied)).toMatchObject({ description: null, estimatedMinutes: null, links: [] });
    expect(bodyOf(with_({ kind: 'text' }))).toMatchObject({ starter: null, checks: { hidden: 'hidden' } });
    expect(bodyOf(with_({ kind: '' }))).toMatchObject({ kind: null, starter: null, checks: null });
    expect(bodyOf(with_({ hidden: null }))).toMatchObject({ starter: 'starter', checks: null });
  });

  it.each<[string, Partial<TicketDraft>, readonly (readonly [string, string])[]]>([
    ['a blank title', { title: ' ' }, [['title', 'name']]],
    ['a long title', { title: 'é'.repeat(201) }, [['title', 'tooLong']]],
    ['a long description', { description: 'x'.repeat(16_001) }, [['description', 'tooLong']]],
    ['no time', { estimatedMinutes: '1.5' }, [['estimatedMinutes', 'minutes']]],
    ['a time of more than a week', { estimatedMinutes: '10081' }, [['estimatedMinutes', 'minutes']]],
    [
      'an empty link',
      { links: [newLink()] },
      [
        ['links[0].title', 'name'],
        ['links[0].url', 'url'],
      ],
    ],
    ['a name for the checker', { slug: 'Parser' }, [['checks.slug', 'slug']]],
    ['files under way', { sending: ['visible'] }, [['checks.visible', 'sending']]],
  ])('says what is wrong with it: %s', (_, part, problems) => {
    expect([...problemsOf(with_(part))]).toEqual(problems);
  });

  it.each([
    ['javascript:alert(1)', false],
    ['https://git.example.org@elsewhere.example', false],
    ['//example.org', false],
    ['http://example.org/a b', false],
    [' https://example.org/a?b#c ', true],
    ['https://bücher.example', true],
  ])('takes %s for an address as the service does: %s', (url, isOne) => {
    const { size } = problemsOf(with_({ links: [{ key: 'k', title: 'Link', url }] }));
    expect(size === 0).toBe(isOne);
  });

  it('needs no name for the checker without checks', () => {
    expect(problemsOf(with_({ slug: '', hidden: null })).size).toBe(0);
    expect(problemsOf(with_({ slug: '', kind: '' })).size).toBe(0);
  });

  it('differs from what somebody else saved in its files, links and words', () => {
    const theirs = with_({ title: 'Lexer', starter: files('other'), links: [] });
    expect(differencesOf(draft, theirs).map(({ field }) => field)).toEqual(['title', 'links', 'starter']);
  });
});
