import { describe, expect, it } from '@jest/globals';
import { specification } from '../../../test/support/given-when-then.js';
import { createTicket, ticket, updateTicket } from './decider.js';
import { type FileSet, NO_WORK, type TicketContent, type TicketEvent } from './events.js';

const spec = specification(ticket);
const content: TicketContent = {
  title: 'Repair the parser',
  description: 'It drops the **last** line.',
  links: [{ title: 'Repository', url: 'https://git.example.org/parser' }],
  estimatedMinutes: 45,
  ...NO_WORK,
};
const ids = { organisationId: 'o', ticketId: 't' };
const event = (type: TicketEvent['type'], given = content): TicketEvent => ({
  type,
  data: { ...ids, content: given },
  person: null,
  personal: null,
});
const created = event('ticket.created');
const update = (change: Partial<TicketContent>, expectedVersion: number | null = null) =>
  spec.given(created).when((state) => updateTicket(state, { content: change, expectedVersion }));

describe('a ticket', () => {
  it('is created once', () => {
    const outcome = spec.given().when((state) => createTicket(state, { ...ids, content }));
    outcome.then(created);
    expect(outcome.state()).toMatchObject({ ...ids, content, version: 1 });
    spec
      .given(created)
      .when((state) => createTicket(state, { ...ids, content }))
      .thenRefused('conflict');
  });

  it('keeps what an update leaves out, and clears what is null', () => {
    const outcome = update({ title: 'Repair the printer', estimatedMinutes: null });
    outcome.then(
      event('ticket.updated', { ...content, title: 'Repair the printer', estimatedMinutes: null }),
    );
    expect(outcome.state()).toMatchObject({ version: 2 });
  });

  it('to what it is does nothing', () => {
    update({}).thenNothing();
    update({ links: [{ ...content.links[0]! }] }).thenNothing();
  });

  const starter: FileSet = {
    ...{ id: 'f', name: 'starter.zip', bytes: 9, sha256: 'a', treeSha256: 'b' },
    files: [{ path: 'main.py', bytes: 3, sha256: 'c' }],
  };
  const checks = { visible: null, hidden: starter, slug: 'parser', isolation: 'separate' } as const;

  it('holds work: a kind, a starter, checks', () => {
    update({ kind: 'files', starter, checks }).then(
      event('ticket.updated', { ...content, kind: 'files', starter, checks }),
    );
    update({ kind: 'text', checks }).then(event('ticket.updated', { ...content, kind: 'text', checks }));
  });

  it.each<[string, string, Partial<TicketContent>]>([
    ['a starter without a kind', 'starter', { starter }],
    ['a starter of a written answer', 'starter', { kind: 'text', starter }],
    ['checks of nothing', 'checks', { checks }],
    ['checks without files', 'checks', { kind: 'files', checks: { ...checks, hidden: null } }],
  ])('has no %s', (_, path, change) => {
    update(change).thenRefused('validation_failed', path);
    spec
      .given()
      .when((state) => createTicket(state, { ...ids, content: { ...content, ...change } }))
      .thenRefused('validation_failed', path);
  });

  it('needs its current version, and to be there', () => {
    update({ title: 'Other' }, 2).thenRefused('version_mismatch');
    spec
      .given()
      .when((state) => updateTicket(state, { content: {}, expectedVersion: null }))
      .thenRefused('not_found');
  });
});
