import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '../../test/support/memory-event-store.js';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { createCodec } from '../core/codec.js';
import { CommandContexts } from '../core/command-context.js';
import { CommandStreams } from '../core/handle.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { Sealer } from '../core/sealing.js';
import { eventRegistry } from '../domain/event-registry.js';
import { recordAction, operator } from '../domain/operations/decider.js';
import { OPERATOR_LOG } from '../process/operations/operations.js';
import { installAll, installedAt } from './reactions.js';

const contexts = new CommandContexts(new KeyedHasher(Buffer.alloc(32)));

describe('the place from which a reactor acts', () => {
  let store: MemoryEventStore;
  /** Another process on the same log. */
  const process = (): CommandStreams =>
    new CommandStreams(
      new MemoryEventStore(store),
      createCodec(eventRegistry, new Sealer(new MemoryVault())),
    );
  const act = (streams: CommandStreams) =>
    streams.handle(operator, OPERATOR_LOG, contexts.forSystem({ type: 'system', id: 'x' }, 'x'), () =>
      recordAction('backup', {}),
    );
  const recordOf = (reactor: string) =>
    store.log.find(
      ({ type, data }) => type === 'reactor.installed' && Buffer.from(data).toString().includes(reactor),
    )?.position;
  beforeEach(() => {
    store = new MemoryEventStore();
  });

  it('is that of its record in the process that installs it, as in all others', async () => {
    const upgraded = process();
    await act(upgraded);
    const installed = await installedAt(upgraded, contexts, 'new');
    expect(installed).toBe(recordOf('new'));
    await act(upgraded);
    expect(await installedAt(upgraded, contexts, 'new')).toBe(installed);
    expect(await installedAt(process(), contexts, 'new')).toBe(installed);
  });

  it('is that of its record also if several are installed in one append, or by several processes at once', async () => {
    const processes = [process(), process(), process()] as const;
    await Promise.all(processes.map((one) => installAll(one, contexts, ['first', 'second', 'third'])));
    expect(store.log).toHaveLength(3);
    for (const one of processes)
      for (const reactor of ['first', 'second', 'third'])
        expect(await installedAt(one, contexts, reactor)).toBe(recordOf(reactor));
  });
});
