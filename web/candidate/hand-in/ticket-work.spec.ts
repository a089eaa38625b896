import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeHandIns } from '../../../test/web/fake-hand-ins.js';
import { type Api, ApiFailure } from '../../shared/api.js';
import { packed, sha256Of } from '../../shared/packing.js';
import type { ListableStorage } from '../../shared/storage.js';
import type { FileKeeper, KeptBytes } from './keeping.js';
import { TicketWork } from './ticket-work.js';

const inMemory = (): ListableStorage => {
  const values = new Map<string, string>();
  return {
    get: (name) => values.get(name) ?? null,
    set: (name, value) => {
      if (value === null) values.delete(name);
      else values.set(name, value);
    },
    names: (prefix) => [...values.keys()].filter((name) => name.startsWith(prefix)),
  };
};
/** @param storing what a store awaits after its write, as for the answer of the browser's database */
const filesInMemory = (storing = async (): Promise<void> => undefined): FileKeeper => {
  const kept = new Map<string, KeptBytes>();
  return {
    get: async (key) => kept.get(key) ?? null,
    set: async (key, file) => {
      kept.set(key, file);
      await storing();
    },
    remove: async (key, sha256) => {
      if (kept.get(key)?.sha256 === sha256) kept.delete(key);
    },
  };
};

describe('work for a ticket', () => {
  let service: FakeHandIns;
  let faults: (ApiFailure | null)[];
  let storage: ListableStorage;
  let files: FileKeeper;
  /** The keys with which hand-ins were begun. */
  let keys: (string | undefined)[];

  beforeEach(() => {
    jest.useFakeTimers();
    [service, faults, storage, files, keys] = [new FakeHandIns(), [], inMemory(), filesInMemory(), []];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const asked = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const fault = faults.shift();
    if (fault) throw fault;
    const answer = await service.answer(method, path.slice(path.indexOf('hand-ins') + 8), body);
    if (answer.status < 400) return answer.body;
    const { code, error } = answer.body as { readonly code: string; readonly error: string };
    throw new ApiFailure(answer.status, code, error);
  };
  const api = {
    get: (path) => asked('GET', path, null),
    post: (path, body, sending) => {
      if (path.endsWith('/hand-ins')) keys.push(sending?.key);
      return asked('POST', path, body);
    },
  } as Pick<Api, 'get' | 'post'>;
  const open = () => new TicketWork({ api, storage, files, sessionId: 's', ticketId: 't' });
  const upload = async (bytes: number, name = 'work.bin') => {
    const content = Uint8Array.from({ length: bytes }, (_, at) => at % 251);
    return { name, content, sha256: await sha256Of(content) };
  };
  const offline = () => new ApiFailure(0, 'offline', 'No.');

  it('arrives in pieces, and is nothing that waits any more', async () => {
    const work = open();
    const sent = await upload(300_000);
    expect(await work.handIn(sent)).toBe(true);
    expect(service.asked).toEqual(['POST', 'POST pieces', 'POST pieces', 'POST pieces', 'POST complete']);
    expect(new Uint8Array(service.all[0]?.content ?? [])).toEqual(sent.content);
    expect([work.sending.value, storage.names(''), await files.get('s/t')]).toEqual([null, [], null]);
    expect(work.handedIn).toMatchObject([{ name: 'work.bin', sha256: sent.sha256 }]);
  });

  it('of no bytes arrives too', async () => {
    expect(await open().handIn(await upload(0))).toBe(true);
    expect(service.asked).toEqual(['POST', 'POST complete']);
  });

  it('goes on where it was after a lost connection', async () => {
    const work = open();
    faults = [null, null, offline(), offline()];
    const arrived = work.handIn(await upload(300_000));
    await jest.advanceTimersByTimeAsync(200);
    expect(work.sending.value).toMatchObject({ received: 131_072, isWaiting: true });
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await arrived).toBe(true);
    expect(service.asked.filter((one) => one === 'POST pieces')).toHaveLength(3);
  });

  it('goes on at once when the connection is back', async () => {
    const work = open();
    faults = [new ApiFailure(503, 'unavailable', 'No.', 60_000)];
    const arrived = work.handIn(await upload(10));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(work.sending.value?.isWaiting).toBe(true);
    work.retry();
    expect(await arrived).toBe(true);
  });

  it('goes on after a reload, where the service says', async () => {
    const before = open();
    faults = [null, null, offline()];
    const sent = await upload(300_000);
    void before.handIn(sent);
    await jest.advanceTimersByTimeAsync(100);
    before.close();
    await jest.advanceTimersByTimeAsync(100);
    const after = open();
    await after.load();
    await jest.advanceTimersByTimeAsync(5_000);
    // Hashes are made outside the clock.
    for (let turns = 0; turns < 100 && after.handedIn.length === 0; turns += 1) {
      await sha256Of(sent.content);
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(after.handedIn).toMatchObject([{ sha256: sent.sha256 }]);
    // With another key it would be a further hand-in, which could replace newer work.
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.any(String)]);
    expect(new Uint8Array(service.all[0]?.content ?? [])).toEqual(sent.content);
  });

  it('that another tab sends meanwhile is one hand-in', async () => {
    const sent = await upload(300_000);
    expect(await Promise.all([open().handIn(sent), open().handIn(sent)])).toContain(true);
    expect(service.all).toHaveLength(1);
    expect(service.all[0]?.handedInAt).not.toBeNull();
  });

  it('waits for a browser that cannot read it for a while, and is not taken for sent', async () => {
    const work = open();
    const read = files.get.bind(files);
    let failures = 2;
    files.get = (key) => ((failures -= 1) < 0 ? read(key) : Promise.reject(new Error('Connection lost.')));
    const arrived = work.handIn(await upload(10));
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await arrived).toBe(true);
    expect([service.all.length, storage.names('')]).toEqual([1, []]);
  });

  it('is sent also if the browser’s storage is too full to note that it is due', async () => {
    storage = { get: () => null, set: () => undefined, names: () => [] };
    const work = open();
    faults = [offline()];
    const arrived = work.handIn(await upload(10));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await arrived).toBe(true);
    expect([service.all.length, work.sending.value]).toEqual([1, null]);
  });

  it('is replaced by work that is handed in after it', async () => {
    const work = open();
    faults = [offline()];
    const first = work.handIn(await upload(10));
    await jest.advanceTimersByTimeAsync(100);
    const second = await upload(20, 'newer');
    expect(await work.handIn(second)).toBe(true);
    expect(await first).toBe(false);
    expect(service.all.map(({ name }) => name)).toEqual(['newer']);
  });

  it('that is being stored while former work arrives is not removed with it', async () => {
    let completed = (): void => undefined;
    const isCompleted = new Promise<void>((done) => (completed = done));
    let writes = 0;
    files = filesInMemory(() => ((writes += 1) === 2 ? isCompleted : Promise.resolve()));
    const answered = service.answer.bind(service);
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    service.answer = async (method, path, body) => {
      if (path.endsWith('complete') && service.all.length === 1) await released;
      return answered(method, path, body);
    };
    const work = open();
    const first = work.handIn(await upload(10));
    await jest.advanceTimersByTimeAsync(100);
    const second = work.handIn(await upload(20, 'newer'));
    release();
    expect(await first).toBe(true);
    completed();
    expect(await second).toBe(true);
    expect(service.all.map(({ name }) => name)).toEqual(['work.bin', 'newer']);
  });

  it('stays arrived if an answer from before comes later', async () => {
    const work = open();
    const answered = service.answer.bind(service);
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    service.answer = async (method, ...given) => {
      const answer = await answered(method, ...given);
      if (method === 'GET' && service.all.length === 0) await released;
      return answer;
    };
    const read = work.load();
    expect(await work.handIn(await upload(10))).toBe(true);
    release();
    await read;
    expect(work.handedIn).toHaveLength(1);
  });

  it('that is refused ends with the service’s sentence, and is not sent again', async () => {
    const work = open();
    service.refusal = { name: 'bad.zip', error: 'The archive has a link “a”.' };
    expect(await work.handIn(await upload(10, 'bad.zip'))).toBe(false);
    expect(work.refusal.value).toBe('The archive has a link “a”.');
    expect([work.sending.value, storage.names('')]).toEqual([null, []]);
    expect(await work.handIn(await upload(11))).toBe(true);
    expect(work.refusal.value).toBeNull();
  });

  it('that is refused stays so for a page that is opened anew, until other work arrives', async () => {
    service.refusal = { name: 'bad.zip', error: 'The archive has a link “a”.' };
    const sent = await upload(10, 'bad.zip');
    await open().handIn(sent);
    const work = open();
    await work.load();
    expect([work.refusal.value, work.handedIn]).toEqual(['The archive has a link “a”.', []]);
    // The same bytes again: the service says the same.
    expect(await work.handIn(sent)).toBe(false);
    expect(work.refusal.value).toBe('The archive has a link “a”.');
    expect(await work.handIn(await upload(11))).toBe(true);
    const later = open();
    await later.load();
    expect([later.refusal.value, later.handedIn.length]).toEqual([null, 1]);
  });

  it('is shown also if there are more hand-ins than the service lists at once', async () => {
    const work = open();
    for (const bytes of [10, 11, 12]) await work.handIn(await upload(bytes));
    service.most = 2;
    const after = open();
    await after.load();
    expect(after.handedIn.map(({ bytes }) => bytes).sort()).toEqual([10, 11, 12]);
  });

  it('that no sign-in carries waits for the next one', async () => {
    const work = open();
    faults = [new ApiFailure(401, 'missing_token', 'No.')];
    expect(await work.handIn(await upload(10))).toBe(false);
    expect([work.refusal.value, storage.names('sending/')]).toEqual([null, ['sending/s/t']]);
    await work.load();
    await jest.advanceTimersByTimeAsync(10);
    expect(service.all).toHaveLength(1);
  });

  it('is unread as long as the service does not answer', async () => {
    const work = open();
    faults = [offline()];
    await work.load();
    expect([work.isUnread.value, work.handIns.value]).toEqual([true, null]);
    await work.load();
    expect([work.isUnread.value, work.handIns.value]).toEqual([false, []]);
  });

  it('is not asked for if the service takes none', async () => {
    const work = open();
    faults = [new ApiFailure(404, 'not_found', 'Not found')];
    await work.load();
    expect([work.isServed.value, work.isUnread.value]).toEqual([false, false]);
  });

  it('asks what the checks say until they have said it', async () => {
    const work = open();
    let state = 'waiting';
    const shown = service.answer.bind(service);
    service.answer = async (...given) => {
      const answer = await shown(...given);
      return 'id' in answer.body ? { ...answer, body: { ...answer.body, checks: { state } } } : answer;
    };
    await work.handIn(await upload(10));
    await jest.advanceTimersByTimeAsync(2_500);
    expect(work.handedIn[0]?.checks?.state).toBe('waiting');
    state = 'checked';
    await jest.advanceTimersByTimeAsync(5_000);
    expect(work.handedIn[0]?.checks?.state).toBe('checked');
    const before = service.asked.length;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(service.asked).toHaveLength(before);
  });

  it.each([403, 404])(
    'asks no further what the checks say once it is refused by %d, and says so',
    async (status) => {
      const work = open();
      const shown = service.answer.bind(service);
      service.answer = async (...given) => {
        const answer = await shown(...given);
        return 'id' in answer.body
          ? { ...answer, body: { ...answer.body, checks: { state: 'waiting' } } }
          : answer;
      };
      await work.handIn(await upload(10));
      faults = [offline(), new ApiFailure(status, 'not_found', 'Not found')];
      await jest.advanceTimersByTimeAsync(10_000);
      expect(work.hasHiddenResults.value).toBe(false);
      await jest.advanceTimersByTimeAsync(30_000);
      expect(work.hasHiddenResults.value).toBe(true);
      const before = service.asked.length;
      await jest.advanceTimersByTimeAsync(600_000);
      expect(service.asked).toHaveLength(before);
      // The page was opened again, after a new sign-in.
      await work.load();
      expect(work.hasHiddenResults.value).toBe(false);
    },
  );

  it('asks what the checks say of earlier ones too, of the oldest first', async () => {
    const work = open();
    const done = new Set<string>();
    const shown = service.answer.bind(service);
    const withChecks = (one: object) => ({
      ...one,
      checks: { state: done.has((one as { readonly id: string }).id) ? 'checked' : 'waiting' },
    });
    service.answer = async (...given) => {
      const answer = await shown(...given);
      return 'id' in answer.body ? { ...answer, body: withChecks(answer.body) } : answer;
    };
    await work.handIn(await upload(10));
    await jest.advanceTimersByTimeAsync(1_000);
    await work.handIn(await upload(20));
    const states = () => work.handedIn.map(({ checks }) => checks?.state);
    done.add('h1');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(states()).toEqual(['waiting', 'checked']);
    done.add('h2');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(states()).toEqual(['checked', 'checked']);
  });

  describe('that is written on the page', () => {
    it('is kept over a reload, and counts as unsent until it is handed in as it is', async () => {
      open().drafts.keep('a.js', 'new');
      const work = open();
      expect([work.drafts.of('a.js'), work.drafts.unsentNames]).toEqual(['new', ['a.js']]);
      const content = packed([{ path: 'a.js', content: new TextEncoder().encode('new') }]);
      await work.handIn({ name: 'work.zip', content, sha256: await sha256Of(content) });
      expect([work.drafts.of('a.js'), work.drafts.unsentNames]).toEqual(['new', []]);
      work.drafts.keep('a.js', 'newer');
      expect(work.drafts.unsentNames).toEqual(['a.js']);
      work.drafts.keep('a.js', 'new');
      expect(work.drafts.unsentNames).toEqual([]);
    });

    it('is told if the browser does not keep it', () => {
      storage = { get: () => null, set: () => undefined, names: () => [] };
      expect(open().drafts.keep('a.js', 'new')).toBe(false);
    });

    it('is stored no more once the candidate has signed out, whatever comes late', () => {
      const work = open();
      work.close();
      work.drafts.handedIn('answer.md', 'read meanwhile');
      expect(work.drafts.keep('answer.md', 'typed')).toBe(false);
      expect(storage.names('')).toEqual([]);
    });

    it('can be undone', () => {
      const { drafts } = open();
      drafts.keep('a.js', 'new');
      expect(drafts.keep('a.js', null)).toBe(true);
      expect([drafts.of('a.js'), drafts.names()]).toEqual([null, []]);
    });
  });
});
