import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import type { EventStore } from '../../core/event-store.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { savedViewsDecider } from '../../domain/saved-view/decider.js';
import { ChangeSavedView, ChangeSavedViewHandler } from './change-saved-view.js';
import { CreateSavedView, CreateSavedViewHandler, SavedViewFacts } from './create-saved-view.js';
import { RemoveSavedView, RemoveSavedViewHandler } from './remove-saved-view.js';

const organisationId = uuid('org');
const actor = { type: 'staff', id: 'rita' } as const;

/** A store that does something else right before an append. */
class InterruptedStore extends MemoryEventStore {
  before: (() => Promise<void>) | null = null;

  override async append(...args: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
    const { before } = this;
    this.before = null;
    await before?.();
    return super.append(...args);
  }
}

const openRig = () => {
  const store = new InterruptedStore();
  const vault = new MemoryVault();
  const contexts = new CommandContexts(new KeyedHasher(randomBytes(32)));
  const context = (over: Partial<RequestContext> = {}): RequestContext => ({
    ...contexts.forSystem(actor, 'test'),
    ...over,
  });
  const members = [{ subject: actor.id, memberId: uuid('rita'), role: 'owner' }];
  const rosters = { now: async () => Promise.resolve({ members }) } as never;
  const processOf = () => {
    const streams = new CommandStreams(store, createCodec(eventRegistry, new Sealer(vault)));
    const facts = new SavedViewFacts(rosters, { find: async () => Promise.resolve(null) }, streams, vault);
    const filter = { list: 'applications', filter: {}, text: 'Back end', shared: false } as const;
    return {
      create: (savedViewId: string) =>
        new CreateSavedViewHandler(streams, facts, vault).execute(
          new CreateSavedView(context(), { organisationId, savedViewId, name: savedViewId, ...filter }),
        ),
      change: (savedViewId: string, name: string) =>
        new ChangeSavedViewHandler(streams, facts, vault).execute(
          new ChangeSavedView(context(), { organisationId, savedViewId, name }),
        ),
      remove: (savedViewId: string, over: Partial<RequestContext> = {}, keys = vault.keys) =>
        new RemoveSavedViewHandler(streams, facts, { keys }).execute(
          new RemoveSavedView(context(over), { organisationId, savedViewId }),
        ),
      views: async () => (await streams.read(savedViewsDecider, organisationId)).state,
    };
  };
  const isReadable = async (savedViewId: string): Promise<boolean> =>
    (await vault.keys.get(savedViewId as PersonId))?.kind === 'key';
  return { store, vault, processOf, isReadable };
};

describe('removing a saved view', () => {
  it('destroys nothing for good before it is final: a change by another process refuses it, and the texts stay', async () => {
    const { store, processOf, isReadable } = openRig();
    const [own, other] = [processOf(), processOf()];
    const id = uuid('view');
    await own.create(id);
    store.before = async () => {
      await other.change(id, 'Renamed');
    };
    const refused = await own.remove(id, { expectedVersion: 1 });
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'version_mismatch' } });
    expect(await processOf().views()).toMatchObject([{ name: 'Renamed', text: 'Back end' }]);
    expect(await isReadable(id)).toBe(true);

    expect((await own.remove(id, { expectedVersion: 2 })).kind).toBe('done');
    expect(await isReadable(id)).toBe(false);
  });

  it.each([
    ['the same removal', (views: readonly [string, string]) => views[0]],
    ['the next one', (views: readonly [string, string]) => views[1]],
  ])('that was recorded by a process that ended is finished by %s', async (_, next) => {
    const { vault, processOf, isReadable } = openRig();
    const views = [uuid('left'), uuid('next')] as const;
    for (const id of views) await processOf().create(id);
    const ended = { ...vault.keys, erase: () => Promise.reject(new Error('killed')) };
    await expect(processOf().remove(views[0], {}, ended)).rejects.toThrow('killed');
    expect(await isReadable(views[0])).toBe(true);
    await processOf().remove(next(views));
    expect(await isReadable(views[0])).toBe(false);
    expect(await isReadable(views[1])).toBe(next(views) === views[0]);
  });
});
