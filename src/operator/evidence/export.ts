import { EvaluationReads } from '../../api/evaluations/evaluation-reads.js';
import { withEngine } from '../cli/stores.js';
import { answer } from '../cli/output.js';
import { CalledWrongly, OperatorError, stoppable } from '../cli/program.js';
import { pastNext } from './reading.js';
import { statSync } from 'node:fs';
import { chmod, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { EventStore } from '../../core/event-store.js';
import type { TrustedKeys } from '../../core/signing.js';
import { syncFolder } from '../../vault/lmdb/durable-files.js';
import { assertWanted, makeIn, unfinishedName } from '../backup/folders.js';
import { evaluationOf, eventLine, type Exported, readme, SUMS, writeHashed } from './bundle.js';
import { type CheckedEvent, type Checking, ownValue } from './session-evidence.js';
import { evidenceOfOne, type Searching } from './stray-evaluation.js';

export interface ExportArguments {
  readonly session: string;
  readonly out: string;
  readonly json?: true;
}

export const runExport = async ({ session, out, json }: ExportArguments): Promise<void> => {
  if (session.trim() === '') throw new CalledWrongly('--session needs the id of a trial session.');
  const exported = await withEngine(({ configuration, stores, requests }) =>
    stoppable((signal) => {
      const { eventStore: log, trustedKeys: trusted, sealer, vault } = stores;
      return exportEvidence({ log, trusted, sealer }, session, out, {
        signal,
        past: configuration.servers === null ? pastNext : null,
        record: async ({ organisationId, evaluationId }) => {
          if (evaluationId !== null) {
            const reads = new EvaluationReads(vault);
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
  const { events, evaluationId, keyIds, unread } = exported;
  answer(json === true, { folder: out, session, evaluationId, events, keyIds, unread }, () =>
    [
      `The evidence of session ${session} is in ${out}: ${events} events that hold${evaluationId === null ? '; the session was not completed, so there is no evaluation' : ''}.`,
      ...(unread > 0 ? [`The personal parts of ${unread} of them can no longer be read.`] : []),
      ...(keyIds.length > 0 ? [`Signed with the key ${keyIds.join(', ')}.`] : []),
      ...(unread > 0 ? [] : ['It contains unencrypted personal data: handle it with care.']),
      'node docs/verify-evidence.mjs checks it.',
    ].join('\n'),
  );
};

export interface ExportOptions extends Pick<Searching, 'past'> {
  readonly signal: AbortSignal;
  /** Asked before anybody can see the bundle: an export that is not recorded does not take place. */
  readonly record: (exported: Exported) => Promise<void>;
}

/**
 * Writes a session's evidence, checked on the way, as a folder that is made whole or not at all.
 * @throws {OperatorError} there is no such evidence, it does not hold, or the folder cannot be made
 */
export const exportEvidence = async (
  checking: Checking & { readonly log: Pick<EventStore, 'readStream' | 'readAll' | 'head'> },
  session: string,
  folder: string,
  { signal, past, record }: ExportOptions,
): Promise<Exported> => {
  assertFree(folder);
  const parent = dirname(folder);
  return makeIn(parent, unfinishedName('evidence', folder), async (made) => {
    await chmod(made, 0o700);
    const bundle = new Bundle(session, checking.trusted);
    let sums = await writeHashed(made, 'events.jsonl', async (write) => {
      const evidence = evidenceOfOne(checking, session, { past, signal });
      for (let step = await evidence.next(); ; step = await evidence.next()) {
        assertWanted(signal);
        if (!step.done) {
          bundle.add(step.value);
          await write(`${eventLine(step.value)}\n`);
        } else if (step.value) {
          const { number, stream, what } = step.value;
          throw new OperatorError(
            `Not exported: the evidence is not as it was recorded. Event ${number} of ${stream}: ${what.replace(/\.$/, '')}.`,
          );
        } else break;
      }
    });
    const exported = bundle.exported();
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
    assertFree(folder);
    await rename(made, folder);
    await syncFolder(parent);
    return exported;
  });
};

/** What is to be remembered of the events while they are written. */
class Bundle {
  #organisationId = '';
  #evaluationId: string | null = null;
  #events = 0;
  readonly #personal = { opened: 0, erased: 0, unopened: 0 };
  #erasure = false;
  #result: CheckedEvent | null = null;
  readonly #keyIds = new Set<string>();

  constructor(
    private readonly session: string,
    private readonly trusted: TrustedKeys,
  ) {}

  add(checked: CheckedEvent): void {
    const { event, data, stored, personal, signed } = checked;
    this.#events++;
    this.#organisationId = String(ownValue(data, 'organisationId'));
    if (event.type === 'trial.completed') this.#evaluationId = String(ownValue(data, 'evaluationId'));
    if (event.type === 'trial.erased') this.#erasure = true;
    if (personal !== null) this.#personal[typeof personal === 'string' ? personal : 'opened']++;
    if (signed) this.#result = checked;
    if (stored.link.signature) this.#keyIds.add(stored.link.signature.keyId);
  }

  /** @throws {OperatorError} there was no event, or the candidate is being erased */
  exported(): Exported {
    const { opened, erased, unopened } = this.#personal;
    if (this.#events === 0)
      throw new OperatorError(
        `There is no evidence of a session ${JSON.stringify(this.session)}: no such session, or one that was never started.`,
      );
    // A verifier takes a missing text for erased only where the session's erasure is in the chain, and then takes all.
    if (erased > 0 && (opened > 0 || !this.#erasure))
      throw new OperatorError(
        'Not exported: the candidate is being erased. Export it again once the service has ended the erasure.',
      );
    return {
      session: this.session,
      organisationId: this.#organisationId,
      evaluationId: this.#evaluationId,
      events: this.#events,
      keyIds: [...this.#keyIds],
      unread: erased + unopened,
    };
  }

  /** What the latest generation that was answered came to; `null` without any. */
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

const assertFree = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false }))
    throw new OperatorError(`${folder} exists already: name a new folder.`);
  const parent = dirname(folder);
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory())
    throw new OperatorError(`There is no folder ${parent} to put the bundle into.`);
};
