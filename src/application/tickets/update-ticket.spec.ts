import { beforeEach, describe, expect, it } from '@jest/globals';
import { testId } from '../../../test/support/evidence-builder.js';
import { after, NOW } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { DAY_MS } from '../../core/timestamp.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { createTicket, ticket } from '../../domain/ticket/decider.js';
import { beginFileSet, completeFileSet, fileSet } from '../../domain/ticket/file-set.js';
import { Uploads } from '../uploads/uploads.js';
import { FileSets } from './file-sets.js';
import { UpdateTicket, UpdateTicketHandler } from './update-ticket.js';

const ids = { organisationId: testId(2, 1), ticketId: testId(3, 1), fileSetId: testId(4, 1) };
const by = { type: 'system', id: 'test' } as const;
const content = { title: 'Parser', description: null, links: [], estimatedMinutes: null };

describe('naming a file set in its ticket', () => {
  let now: string;
  let contexts: CommandContexts;
  let handler: UpdateTicketHandler;

  const context = () => contexts.forSystem(by, 'request');
  const name = (starter: string | null) => {
    const { organisationId, ticketId } = ids;
    const input = { organisationId, ticketId, content: {}, files: { starter } };
    return handler.execute(new UpdateTicket(context(), input));
  };

  beforeEach(async () => {
    now = NOW;
    const vault = new MemoryVault();
    const streams = new CommandStreams(new MemoryEventStore(), createCodec(eventRegistry, new Sealer(vault)));
    contexts = new CommandContexts(await KeyedHasher.of(vault), () => new Date(now));
    handler = new UpdateTicketHandler(streams, new FileSets(streams, vault, new Uploads(vault)));
    const made = { ...ids, content: { ...content, kind: 'files', starter: null, checks: null } } as const;
    await streams.handle(ticket, ids.ticketId, context(), (state) => createTicket(state, made));
    const announced = { ...ids, name: 'starter.zip', bytes: 9, sha256: 'a' };
    const tree = { treeSha256: 'b', files: [] };
    await streams.handle(fileSet, ids.fileSetId, context(), (state) => beginFileSet(state, announced));
    await streams.handle(fileSet, ids.fileSetId, context(), (state) => completeFileSet(state, tree));
  });

  it('is done within a day', async () => {
    now = after(DAY_MS - 1);
    expect(await name(ids.fileSetId)).toMatchObject({
      ...{ kind: 'done', changed: true },
      state: { content: { starter: { id: ids.fileSetId } } },
    });
  });

  it('is refused later: its content is discarded', async () => {
    now = after(DAY_MS);
    expect(await name(ids.fileSetId)).toMatchObject({
      kind: 'refused',
      refusal: {
        details: [{ path: 'starter', rule: 'fileSet', message: expect.stringContaining('send them again') }],
      },
    });
  });

  it('can be repeated at any time: what was named once is kept', async () => {
    await name(ids.fileSetId);
    await name(null);
    now = after(300 * DAY_MS);
    expect(await name(ids.fileSetId)).toMatchObject({ kind: 'done', changed: true });
  });
});
