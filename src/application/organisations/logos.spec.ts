import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts, type CommandSource } from '../../core/command-context.js';
import { accept } from '../../core/decider.js';
import type { EventStore } from '../../core/event-store.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { organisation } from '../../domain/organisation/decider.js';
import { INITIAL_SETTINGS } from '../../domain/organisation/events.js';
import { ChangeLogo, ChangeLogoHandler, Logos } from './logos.js';

const organisationId = uuid('org');

/** A store in which another process is first at the next appends. */
class BusyStore extends MemoryEventStore {
  conflicts = 0;

  override append(...args: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
    if (this.conflicts === 0) return super.append(...args);
    this.conflicts--;
    return super.append(args[0], 'no-stream', args[2]);
  }
}

const picture = (red: number): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer();

const openRig = async () => {
  const store = new BusyStore();
  const vault = new MemoryVault();
  const contexts = new CommandContexts(new KeyedHasher(randomBytes(32)));
  const streams = new CommandStreams(store, createCodec(eventRegistry, new Sealer(vault)));
  const logos = new Logos(vault);
  const actor = { type: 'staff', id: 'rita' } as const;
  const created = { organisationId, name: 'Example', ...INITIAL_SETTINGS };
  await streams.handle(organisation, organisationId, contexts.forSystem(actor, 'test'), () =>
    accept({ type: 'organisation.created', data: created, person: null, personal: null }),
  );
  return {
    store,
    /** Sends a logo under an Idempotency-Key. */
    send: async (idempotencyKey: string, bytes: Buffer) => {
      const source: CommandSource = {
        ...{ correlationId: 'test', idempotencyKey, ifMatch: null, method: 'PUT', path: '/logo' },
        ...{ body: bytes.toString('base64'), isGone: () => false },
      };
      const context = contexts.forRequest(source, actor.id, actor);
      const command = new ChangeLogo(context, { organisationId, picture: bytes });
      return new ChangeLogoHandler(streams, logos).execute(command);
    },
    isServed: async () => {
      const { state } = await streams.read(organisation, organisationId);
      return (await logos.read(organisationId, state?.logo?.id ?? '')) !== null;
    },
  };
};

describe('a request for a logo that is sent again under its Idempotency-Key', () => {
  it('is carried out if the first sending was refused and has destroyed its picture for good', async () => {
    const { store, send, isServed } = await openRig();
    const bytes = await picture(1);
    store.conflicts = 4;
    expect(await send('one', bytes)).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
    expect(await send('one', bytes)).toMatchObject({ kind: 'done', changed: true });
    expect(await isServed()).toBe(true);
  });

  it('gets its first answer, also once the logo was replaced and destroyed', async () => {
    const { send, isServed } = await openRig();
    const bytes = await picture(1);
    const first = await send('one', bytes);
    expect(await send('two', await picture(2))).toMatchObject({ kind: 'done', changed: true });
    const again = await send('one', bytes);
    expect(again).toMatchObject({
      kind: 'done',
      changed: false,
      state: 'state' in first ? first.state : null,
    });
    expect(await isServed()).toBe(true);
  });
});
