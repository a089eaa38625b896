import { beforeEach, describe, expect, it } from '@jest/globals';
import { testId } from '../../../test/support/evidence-builder.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { role } from '../../domain/role/decider.js';
import { templateTicket } from '../../domain/role/templates.js';
import { ticket, updateTicket } from '../../domain/ticket/decider.js';
import { TICKET_LIMITS } from '../../domain/ticket/events.js';
import { ROLE_TEMPLATES } from '../../languages/en/shapes.js';
import { LANGUAGES } from '../../languages/languages.js';
import { FileSets } from '../tickets/file-sets.js';
import { TemplateTickets } from '../tickets/template-tickets.js';
import { Uploads } from '../uploads/uploads.js';
import { CreateRoleFromTemplate, CreateRoleFromTemplateHandler } from './create-role-from-template.js';

const organisationId = testId(2, 1);
const backend = { organisationId, template: 'backend', language: 'en' } as const;

describe('the ticket of a template', () => {
  const hasher = new KeyedHasher(Buffer.alloc(32, 7));
  const contexts = new CommandContexts(hasher);
  const context = () => contexts.forSystem({ type: 'system', id: 'test' }, 'request');
  let vault: MemoryVault;
  let store: MemoryEventStore;
  let streams: CommandStreams;
  let sets: FileSets;
  let tickets: TemplateTickets;

  beforeEach(() => {
    vault = new MemoryVault();
    store = new MemoryEventStore();
    streams = new CommandStreams(store, createCodec(eventRegistry, new Sealer(vault)));
    sets = new FileSets(streams, vault, new Uploads(vault));
    tickets = new TemplateTickets(streams, sets, hasher);
  });

  const ticketIdFor = async (of: Parameters<TemplateTickets['ensure']>[1]): Promise<string> => {
    const id = await tickets.ensure(context(), of);
    if (typeof id !== 'string') throw new Error(id.refusal.message);
    return id;
  };

  it.each(LANGUAGES.flatMap((language) => ROLE_TEMPLATES.map((template) => [template, language] as const)))(
    'has the files that the template has: %s %s',
    async (template, language) => {
      const id = await ticketIdFor({ organisationId, template, language });
      const {
        title = '',
        description = '',
        starter = null,
      } = (await streams.read(ticket, id)).state?.content ?? {};
      expect(title.length).toBeLessThanOrEqual(TICKET_LIMITS.title);
      expect(description?.length).toBeLessThanOrEqual(TICKET_LIMITS.description);
      const tree = starter && (await sets.tree(id, starter));
      expect(
        tree?.files.map(({ path, content }) => ({ path, text: Buffer.from(content).toString() })) ?? null,
      ).toEqual(templateTicket({ template, language }).starter);
    },
  );

  it('is one for an organisation, a template and a language, as staff have changed it since', async () => {
    const id = await ticketIdFor(backend);
    await streams.handle(ticket, id, context(), (before) =>
      updateTicket(before, { content: { title: 'Ours' }, expectedVersion: null }),
    );
    expect(await ticketIdFor(backend)).toBe(id);
    expect((await streams.read(ticket, id)).state?.content.title).toBe('Ours');
    const others = [{ ...backend, language: 'de' } as const, { ...backend, organisationId: testId(2, 2) }];
    expect(new Set([id, ...(await Promise.all(others.map(ticketIdFor)))]).size).toBe(3);
  });

  it('is one for two requests at the same time', async () => {
    const [one, other] = await Promise.all([ticketIdFor(backend), ticketIdFor(backend)]);
    expect(other).toBe(one);
    expect((await streams.read(ticket, one)).state?.version).toBe(1);
  });

  it('leaves no role behind if its files cannot be stored, and is made by the next request', async () => {
    const failing = new TemplateTickets(
      streams,
      { addPiece: () => Promise.reject(new Error('away')) } as unknown as FileSets,
      hasher,
    );
    const create = (by: TemplateTickets) => {
      const command = new CreateRoleFromTemplate(context(), { ...backend, newName: null });
      return new CreateRoleFromTemplateHandler(streams, by).execute(command);
    };
    await expect(create(failing)).rejects.toThrow('away');
    const made = await create(tickets);
    if (made.kind === 'refused' || made.state === null) throw new Error('The role is made.');
    expect(made.state.definition.ticketIds).toEqual([await ticketIdFor(backend)]);
    expect((await streams.read(role, made.state.roleId)).state?.status).toBe('ready');
  });
});
