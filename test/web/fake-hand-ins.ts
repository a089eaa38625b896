import { unzipSync } from 'fflate';
import { sha256Of } from '../../web/shared/packing.js';

interface Kept {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  content: Uint8Array;
  handedInAt: string | null;
  files: readonly object[] | null;
  /** The message of its refusal. */
  refusal: string | null;
}

interface FakeAnswer {
  readonly status: number;
  readonly body: object;
}

/** Hand-ins of one ticket with the service's answers: pieces in order, and the same bytes are the same hand-in. */
export class FakeHandIns {
  readonly all: Kept[] = [];
  /** The refusal of work, by its name. */
  refusal: { readonly name: string; readonly error: string } | null = null;
  /** The requests, by method and the end of the path. */
  readonly asked: string[] = [];

  /** Page size. */
  most = Infinity;

  /** @param path the part of the path after `hand-ins` */
  async answer(method: string, path: string, body: unknown): Promise<FakeAnswer> {
    const [, id, what] = path.split('/');
    this.asked.push(`${method} ${what ?? ''}`.trim());
    if (id === undefined) return method === 'GET' ? this.page(path) : this.begin(body);
    const one = this.all.find((kept) => kept.id === id);
    if (!one) return failure(404, 'not_found', 'There is no such hand-in.');
    if (method === 'GET') return ok(shown(one));
    if (one.refusal !== null) return failure(400, 'work_refused', one.refusal);
    return what === 'pieces' ? this.take(one, body) : this.complete(one);
  }

  private page(path: string): FakeAnswer {
    const from = Number(/cursor=(\d+)/.exec(path)?.[1] ?? 0);
    const items = this.all.slice(from, from + this.most).map(shown);
    const next = from + items.length;
    return ok({ items, nextCursor: next < this.all.length ? `${next}` : null });
  }

  private begin(body: unknown): FakeAnswer {
    const { name, bytes, sha256 } = body as Pick<Kept, 'name' | 'bytes' | 'sha256'>;
    const known = this.all.find((kept) => kept.sha256 === sha256);
    if (known) return ok(shown(known));
    const id = `h${this.all.length + 1}`;
    const begun = {
      id,
      name,
      bytes,
      sha256,
      content: new Uint8Array(),
      handedInAt: null,
      files: null,
      refusal: null,
    };
    this.all.push(begun);
    return { status: 201, body: shown(begun) };
  }

  private take(one: Kept, body: unknown): FakeAnswer {
    const { offset, data } = body as { readonly offset: number; readonly data: string };
    if (offset > one.content.length)
      return failure(409, 'hand_in_incomplete', `Go on at ${one.content.length}.`);
    if (offset === one.content.length) one.content = Uint8Array.from([...one.content, ...bytesOf(data)]);
    return ok({ received: one.content.length });
  }

  private async complete(one: Kept): Promise<FakeAnswer> {
    if (one.content.length < one.bytes) return failure(409, 'hand_in_incomplete', 'Not all has arrived.');
    if ((await sha256Of(one.content)) !== one.sha256)
      return failure(409, 'hand_in_incomplete', 'It has another hash.');
    if (this.refusal?.name === one.name) {
      one.refusal = this.refusal.error;
      one.content = new Uint8Array();
      return failure(400, 'work_refused', one.refusal);
    }
    one.handedInAt ??= new Date().toISOString();
    const files: Record<string, Uint8Array> = one.name.endsWith('.zip')
      ? unzipSync(one.content)
      : { [one.name]: one.content };
    one.files = await Promise.all(
      Object.entries(files).map(async ([path, content]) => ({
        path,
        bytes: content.length,
        sha256: await sha256Of(content),
      })),
    );
    return ok(shown(one));
  }
}

const shown = ({ content, handedInAt, ...one }: Kept): object => ({
  ...one,
  ticketId: 't',
  received: content.length,
  status: one.refusal === null ? (handedInAt === null ? 'receiving' : 'handed_in') : 'refused',
  begunAt: '2026-01-05T09:12:00.000Z',
  handedInAt,
  checks: null,
});

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const ok = (body: object): FakeAnswer => ({ status: 200, body });
const failure = (status: number, code: string, error: string): FakeAnswer => ({
  status,
  body: { error, code, requestId: 'r' },
});
