import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import type { PublicJwk } from '../../core/signing.js';
import type { TrustedKeys } from '../../core/signing.js';
import { BrokenSeal, PersonErased } from '../../core/vault/port.js';
import { syncFolder } from '../../vault/lmdb/durable-files.js';
import type { FileStore } from '../../vault/port.js';
import { assertWanted, makeNewFolder } from '../cli/folders.js';
import { answer, counted } from '../cli/output.js';
import { OperatorError, stoppable } from '../cli/program.js';
import { withEngine } from '../cli/stores.js';
import { OtherContent, type RecordedHandIn, recordedContent } from './hand-ins.js';
import { pastNext } from './reading.js';
import { type Exported, readme } from './readme.js';
import { type BrokenLink, type CheckedEvent, ownValue } from './session-evidence.js';
import {
  assertNamed,
  type CheckingAll,
  evidenceOfOne,
  noEvidence,
  type Searching,
} from './stray-evaluation.js';
import { assertSomeTrusted } from './verify.js';

export interface ExportArguments {
  readonly session: string;
  readonly out: string;
  readonly json?: true;
}

/** Carries out `evidence export`. @throws {OperatorError} nothing was written */
export const runExport = async ({ session, out: folder, json }: ExportArguments): Promise<void> => {
  const out = resolve(folder);
  assertNamed(session);
  const exported = await withEngine(({ configuration, stores, requests }) =>
    stoppable((signal) => {
      const { eventStore: log, trustedKeys: trusted, sealer, vault } = stores;
      assertSomeTrusted(trusted);
      return exportEvidence({ log, trusted, sealer }, session, out, {
        signal,
        files: vault.files,
        past: configuration.servers === null ? pastNext : null,
        record: async ({ organisationId, evaluationId }) => {
          if (evaluationId !== null) {
            const reads = new EvaluationReadRecorder(vault);
            await reads.record({ organisationId, evaluationId }, { type: 'operator', id: 'assay' });
          }
          await requests.record('evidence.exported', {
            organisationId,
            trialSessionId: session,
            evaluationId,
          });
        },
      });
    }),
  );
  const { events, evaluationId, keyIds, unread, handIns } = exported;
  answer(json, { folder: out, session, evaluationId, events, keyIds, unread, handIns }, () => [
    `The evidence of session ${session} is in ${out}: ${events} valid events${evaluationId === null ? '; the session was not completed, so there is no evaluation' : ''}.`,
    ...(handIns > 0 ? [`With what was handed in: ${counted(handIns, 'hand-in')}.`] : []),
    ...(unread > 0 ? [`The personal parts of ${unread} of them can no longer be read.`] : []),
    ...(keyIds.length > 0 ? [`Signed with the key ${keyIds.join(', ')}.`] : []),
    ...(unread > 0 ? [] : ['Contains unencrypted personal data: handle with care.']),
    'Check it with node docs/verify-evidence.mjs.',
  ]);
};

export interface ExportOptions extends Pick<Searching, 'past'> {
  readonly signal: AbortSignal;
  /** What candidates handed in. */
  readonly files: Pick<FileStore, 'read'>;
  /** Called before the bundle gets its name: there is no export without its record. */
  readonly record: (exported: Exported) => Promise<void>;
}

/**
 * Checks a session's evidence and writes it into a new folder, whole or not at all.
 * @throws {OperatorError} there is no such evidence, it is not as it was recorded, or the folder cannot be made
 */
export const exportEvidence = (
  checking: CheckingAll,
  session: string,
  folder: string,
  { signal, past, files, record }: ExportOptions,
): Promise<Exported> => {
  const bundle = new Bundle(session, checking.trusted);
  return makeNewFolder(folder, 'evidence', async (made) => {
    let sums = await writeHashed(made, 'events.jsonl', async (write) => {
      for await (const item of evidenceOfOne(checking, session, { past, signal })) {
        assertWanted(signal);
        if (item.kind === 'broken') throw notAsRecorded(item.link);
        bundle.add(item);
        await write(`${eventLine(item)}\n`);
      }
    });
    const exported = bundle.exported();
    for (const handIn of bundle.handIns) {
      assertWanted(signal);
      sums += await writeHandIn(made, handIn, files);
    }
    const evaluation = bundle.evaluation();
    if (evaluation)
      sums += await writeHashed(made, 'evaluation.json', (write) =>
        write(`${JSON.stringify(evaluation, null, 2)}\n`),
      );
    sums += await writeHashed(made, 'README', (write) => write(readme(exported, evaluation !== null)));
    await writeHashed(made, SUMS, (write) => write(sums));
    await syncFolder(made);
    assertWanted(signal);
    await record(exported);
    return exported;
  });
};

/**
 * Writes what was handed in, as text, since every file of a bundle is: in base64, as `base64` writes it.
 * @returns its line for `SHA256SUMS`
 * @throws {OperatorError} it is not what was recorded, or was erased meanwhile
 */
const writeHandIn = async (
  folder: string,
  handIn: RecordedHandIn,
  files: ExportOptions['files'],
): Promise<string> => {
  try {
    return await writeHashed(folder, `hand-in-${handIn.handInId}.base64`, async (write) => {
      let rest: Uint8Array = new Uint8Array(0);
      for await (const piece of recordedContent(files, handIn)) {
        const all = Buffer.concat([rest, piece]);
        const whole = all.byteLength - (all.byteLength % LINE_BYTES);
        await write(inLines(all.subarray(0, whole)));
        rest = all.subarray(whole);
      }
      await write(inLines(rest));
    });
  } catch (error) {
    if (error instanceof PersonErased) throw beingErased();
    if (error instanceof OtherContent || error instanceof BrokenSeal)
      throw new OperatorError(
        `Not exported: what is stored of the hand-in ${handIn.handInId} is not what was handed in.`,
      );
    throw error;
  }
};

/** What 76 characters of base64 hold. */
const LINE_BYTES = 57;

const inLines = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('base64')
    .replaceAll(/.{1,76}/g, '$&\n');

const beingErased = (): OperatorError =>
  new OperatorError(
    'Not exported: the candidate is being erased. Export it again once the service has ended the erasure.',
  );

const notAsRecorded = ({ number, stream, what }: BrokenLink): OperatorError =>
  new OperatorError(
    `Not exported: the evidence is not as it was recorded. Event ${number} of ${stream}: ${what.replace(/\.$/, '')}.`,
  );

/** What the other files of a bundle need of the events. */
class Bundle {
  #organisationId = '';
  #evaluationId: string | null = null;
  #events = 0;
  readonly #personal = { opened: 0, erased: 0, unopened: 0 };
  #erasure = false;
  #result: CheckedEvent | null = null;
  readonly #keyIds = new Set<string>();
  readonly #handIns = new Map<string, RecordedHandIn>();

  constructor(
    private readonly session: string,
    private readonly trusted: TrustedKeys,
  ) {}

  add(checked: CheckedEvent): void {
    const { event, stored, personal, signed, handIn } = checked;
    const { data } = stored;
    this.#events++;
    this.#organisationId = String(ownValue(data, 'organisationId'));
    if (event.type === 'trial.completed') this.#evaluationId = String(ownValue(data, 'evaluationId'));
    if (event.type === 'trial.erased') this.#erasure = true;
    if (personal !== null) this.#personal[typeof personal === 'string' ? personal : 'opened']++;
    if (signed) this.#result = checked;
    if (stored.link.signature) this.#keyIds.add(stored.link.signature.keyId);
    if (handIn) this.#handIns.set(handIn.handInId, handIn);
  }

  /** Hand-ins that have arrived and can be read. */
  get handIns(): Iterable<RecordedHandIn> {
    return this.#handIns.values();
  }

  /** @throws {OperatorError} there was no event, or the candidate is being erased */
  exported(): Exported {
    const { opened, erased, unopened } = this.#personal;
    if (this.#events === 0) throw noEvidence(this.session);
    // A verifier accepts missing texts only after the session's erasure in the chain, and then all must be missing.
    if (erased > 0 && (opened > 0 || !this.#erasure)) throw beingErased();
    return {
      session: this.session,
      organisationId: this.#organisationId,
      evaluationId: this.#evaluationId,
      events: this.#events,
      keyIds: [...this.#keyIds],
      unread: erased + unopened,
      handIns: this.#handIns.size,
    };
  }

  /** The latest signed result; `null`: there is none. */
  evaluation(): object | null {
    const keys = [...this.#keyIds].map((keyId) => this.trusted.jwk(keyId));
    return (
      this.#result &&
      evaluationOf(
        this.#result,
        keys.filter((key) => key !== null),
      )
    );
  }
}

/** The files of a bundle besides the list of their hashes. */
type BundleFile = 'events.jsonl' | 'evaluation.json' | 'README' | `hand-in-${string}.base64`;

/** Lists the SHA-256 of each file for `sha256sum -c`. */
const SUMS = 'SHA256SUMS';

/** One line of `events.jsonl`: the exact text that the event's hash covers. */
const eventLine = ({ of, number, stored, personal }: CheckedEvent): string => {
  const { type, eventId, schemaVersion, recordedAt, actor, person, commitment, plain } = stored.content;
  const { previousHash, hash, signature } = stored.link;
  return JSON.stringify({
    of,
    number,
    id: eventId,
    type,
    schemaVersion,
    recordedAt,
    actor,
    person,
    plain: Buffer.from(plain).toString(),
    commitment,
    personal:
      personal === null || typeof personal === 'string'
        ? personal
        : { salt: Buffer.from(personal.salt).toString('hex'), text: personal.text },
    previousHash,
    hash,
    signature: signature ?? null,
  });
};

/** A result of the evaluation, with its personal part if that can be read. */
const evaluationOf = (
  { event, stored, personal }: CheckedEvent,
  publicKeys: readonly PublicJwk[],
): object => {
  const { hash, signature } = stored.link;
  const { head, ...figures } = stored.data as { readonly head: object };
  return {
    status: event.type === 'evaluation.generated' ? 'ready' : 'failed',
    recordedAt: stored.content.recordedAt,
    ...figures,
    head: { ...head, resultHash: hash, signature: signature?.value ?? null, keyId: signature?.keyId ?? null },
    personal:
      personal === null || typeof personal === 'string' ? personal : (JSON.parse(personal.text) as object),
    publicKeys,
  };
};

/**
 * Writes a file piece by piece, durably and readable by its owner alone.
 * @returns its line for `SHA256SUMS`
 */
const writeHashed = async (
  folder: string,
  name: BundleFile | typeof SUMS,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<string> => {
  const hash = createHash('sha256');
  const file = await open(join(folder, name), 'wx', 0o600);
  try {
    await fill((text) => {
      hash.update(text);
      return file.appendFile(text);
    });
    await file.sync();
  } finally {
    await file.close();
  }
  return `${hash.digest('hex')}  ${name}\n`;
};
