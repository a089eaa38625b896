import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { after, uuid } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { StoreUnavailable, VaultUnavailable } from '../../core/errors.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { bindMember, createOrganisation, organisation } from '../../domain/organisation/decider.js';
import { Rosters } from '../organisations/memberships.js';
import { CreateApiKey, CreateApiKeyHandler } from './create-api-key.js';
import { HeldApiKeys } from './held-keys.js';
import { RevokeApiKey, RevokeApiKeyHandler } from './revoke-api-key.js';
import { ApiKeyTokens } from './tokens.js';
import { ApiKeyUses } from './uses.js';

const ORG = uuid('org');
const OWNER = { type: 'staff', id: 'olga' } as const;

/** A log whose reads and writes can fail. */
class FailingStore extends MemoryEventStore {
  fails = false;
  override append: MemoryEventStore['append'] = async (...given) => {
    if (this.fails) throw new StoreUnavailable('The log cannot be reached.');
    return MemoryEventStore.prototype.append.apply(this, given);
  };
  override async *readStream(
    ...given: Parameters<MemoryEventStore['readStream']>
  ): ReturnType<MemoryEventStore['readStream']> {
    if (this.fails) throw new StoreUnavailable('The log cannot be reached.');
    yield* super.readStream(...given);
  }
}

/** An organisation with its owner, and a process on its stores; `open` starts another one. */
const openRig = async () => {
  const store = new FailingStore();
  const vault = new MemoryVault();
  const codec = createCodec(eventRegistry, new Sealer(vault));
  const hasher = new KeyedHasher(randomBytes(32));
  const contexts = new CommandContexts(hasher);
  const tokens = new ApiKeyTokens(vault, hasher);
  const memberId = uuid('owner') as PersonId;
  await vault.keys.create(memberId);
  const first = new CommandStreams(store, codec);
  const submit = (decide: Parameters<typeof first.handle<never, never>>[3]) =>
    first.handle(organisation as never, ORG, contexts.forSystem(OWNER, 'test'), decide);
  await submit(
    (state) =>
      createOrganisation(state, {
        organisationId: ORG,
        name: 'Example',
        owner: { memberId, email: 'olga@example.org' },
      }) as never,
  );
  await submit((state) => bindMember(state, { subject: 'olga', verifiedEmail: 'olga@example.org' }) as never);
  const open = () => {
    const streams = new CommandStreams(store, codec);
    const rosters = new Rosters(store, codec);
    const uses = new ApiKeyUses(vault, hasher);
    const making = new CreateApiKeyHandler(streams, rosters, tokens, vault);
    const revoking = new RevokeApiKeyHandler(streams);
    return {
      uses,
      held: new HeldApiKeys(vault, tokens, streams, rosters, uses),
      create: (apiKeyId: string, scopes = ['roles.read']) =>
        making.execute(
          new CreateApiKey(contexts.forSystem(OWNER, 'test'), {
            ...{ organisationId: ORG, apiKeyId, name: 'K', scopes, expiresInDays: 1 },
          }),
        ),
      revoke: (apiKeyId: string) =>
        revoking.execute(
          new RevokeApiKey(contexts.forSystem(OWNER, 'test'), { organisationId: ORG, apiKeyId }),
        ),
    };
  };
  return { store, vault, tokens, open };
};

describe('an API key', () => {
  it('stands for its maker, within its scopes, in every process', async () => {
    const { open, tokens } = await openRig();
    await open().create('key-1');
    expect(await open().held.find(await tokens.tokenOf('key-1'))).toEqual({
      organisationId: ORG,
      member: {
        memberId: uuid('owner'),
        subject: 'key-1',
        role: 'owner',
        apiKey: { scopes: ['roles.read'] },
      },
    });
  });

  it('stands for nobody from its end on', async () => {
    const { open, tokens } = await openRig();
    const { held, create } = open();
    await create('key-1');
    const token = await tokens.tokenOf('key-1');
    const day = 86_400_000;
    const now = new Date().toISOString();
    expect(await held.find(token, new Date(after(day - 60_000, now)))).not.toBeNull();
    expect(await held.find(token, new Date(after(day, now)))).toBeNull();
  });

  it('stands for nobody as soon as another process has revoked it', async () => {
    const { open, tokens } = await openRig();
    const [one, other] = [open(), open()];
    await one.create('key-1');
    const token = await tokens.tokenOf('key-1');
    expect(await other.held.find(token)).not.toBeNull();
    await one.revoke('key-1');
    expect(await other.held.find(token)).toBeNull();
    expect(await one.held.find(token)).toBeNull();
  });

  it('does not work where its process ended between the vault and the log, and is made by the next attempt', async () => {
    const { store, vault, open, tokens } = await openRig();
    const { held, create } = open();
    const token = await tokens.tokenOf('key-1');
    const ended = Object.assign(Object.create(vault) as typeof vault, {
      carriers: {
        ...vault.carriers,
        add: async (...given: Parameters<typeof vault.carriers.add>) => {
          await vault.carriers.add(...given);
          throw new VaultUnavailable('The process ended.');
        },
      },
    });
    const streams = new CommandStreams(store, createCodec(eventRegistry, new Sealer(vault)));
    const rosters = new Rosters(store, createCodec(eventRegistry, new Sealer(vault)));
    const context = new CommandContexts(new KeyedHasher(randomBytes(32))).forSystem(OWNER, 'test');
    const input = {
      organisationId: ORG,
      apiKeyId: 'key-1',
      name: 'K',
      scopes: ['roles.read'],
      expiresInDays: 1,
    };
    await expect(
      new CreateApiKeyHandler(streams, rosters, tokens, ended).execute(new CreateApiKey(context, input)),
    ).rejects.toThrow(VaultUnavailable);
    expect(await vault.carriers.list(tokens.hashOf(token))).toHaveLength(1);
    expect(await held.find(token)).toBeNull();
    await create('key-1');
    expect(await held.find(token)).not.toBeNull();
    expect(await vault.carriers.list(tokens.hashOf(token))).toHaveLength(1);
  });

  it('leaves nothing of its token in the log, and nothing that leads to it once its person is erased', async () => {
    const { store, vault, open, tokens } = await openRig();
    const { held, create } = open();
    await create('key-1');
    const token = await tokens.tokenOf('key-1');
    for await (const { data, metadata } of store.readAll({}))
      for (const part of [data, metadata]) {
        expect(Buffer.from(part).toString()).not.toContain(token);
        expect(Buffer.from(part).toString()).not.toContain(tokens.hashOf(token));
      }
    await vault.keys.erase('key-1' as PersonId);
    expect(await held.find(token)).toBeNull();
  });

  it('cannot be judged while the log cannot be reached', async () => {
    const { store, open, tokens } = await openRig();
    const { held, create } = open();
    await create('key-1');
    store.fails = true;
    await expect(held.find(await tokens.tokenOf('key-1'))).rejects.toThrow(StoreUnavailable);
    expect(await held.find(await tokens.tokenOf('key-2'))).toBeNull();
  });
});

describe('the last use of an API key', () => {
  const at = (ms: number) => new Date(Date.parse('2099-03-01T09:00:00.000Z') + ms);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

  it('is kept at most once a minute, by all processes together', async () => {
    const { open } = await openRig();
    const [one, other] = [open().uses, open().uses];
    expect(await one.lastUsedAt('key-1')).toBeNull();
    for (const [uses, ms] of [
      [one, 0],
      [one, 59_999],
      [other, 59_999],
    ] as const) {
      uses.record('key-1', at(ms));
      await settled();
      expect(await other.lastUsedAt('key-1')).toBe(at(0).toISOString());
    }
    one.record('key-1', at(60_000));
    await settled();
    expect(await other.lastUsedAt('key-1')).toBe(at(60_000).toISOString());
  });

  it('is recorded again once a clock that was years ahead is right, by the same process and by another', async () => {
    const { open } = await openRig();
    for (const [key, again] of [
      ['key-1', (uses: ApiKeyUses) => uses],
      ['key-2', () => open().uses],
    ] as const) {
      const { uses } = open();
      uses.record(key, at(2 * 365 * 86_400_000));
      await settled();
      again(uses).record(key, at(0));
      await settled();
      expect(await uses.lastUsedAt(key)).toBe(at(0).toISOString());
    }
  });

  it('is tried again with the next request if the vault failed', async () => {
    const { vault, open } = await openRig();
    const { uses } = open();
    const { swap } = vault.shortLived;
    vault.shortLived.swap = () => Promise.reject(new VaultUnavailable('The vault is away.'));
    uses.record('key-1', at(0));
    await settled();
    vault.shortLived.swap = swap;
    uses.record('key-1', at(1));
    await settled();
    expect(await uses.lastUsedAt('key-1')).toBe(at(1).toISOString());
  });
});
