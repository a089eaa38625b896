import type { CommandContexts, RequestContext } from '../../core/command-context.js';
import type { CommandStreams } from '../../core/handle.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  type CandidateImport,
  candidateImport,
  dropRows,
  endRow,
  type RowResult,
  type WaitingRow,
} from '../../domain/candidate-import/decider.js';
import type { Vault } from '../../vault/port.js';
import { InviteCandidate, type InviteCandidateHandler } from '../applications/invite-candidate.js';
import { present } from '../use-case.js';
import type { RowContent } from './begin-import.js';

/** The commands of rows have ids made of it: it must never change. */
export const NAME = 'import-candidates';

/** The event that began an import. */
export interface ImportCause {
  readonly causedBy: string;
  readonly correlationId: string;
}

/**
 * Carries out imports. Each row is a command whose id is made of the import and the row, sent as the member who began
 * the import: a row that was invited by a process that ended before it could record that, or is invited by another
 * process at the same time, opens one application.
 */
export class ImportRows {
  private readonly sealer: Sealer;

  constructor(
    private readonly streams: CommandStreams,
    private readonly vault: Pick<Vault, 'keys'>,
    private readonly contexts: CommandContexts,
    private readonly inviting: Pick<InviteCandidateHandler, 'execute'>,
  ) {
    this.sealer = new Sealer(vault);
  }

  /**
   * Invites what waits, row after row.
   * @param lost aborts once another process carries on
   * @throws {MailsLimited} the organisation may not ask for another mail today: the rest waits
   */
  async invite(importId: string, cause: ImportCause, lost: AbortSignal): Promise<void> {
    const { state } = await this.streams.read(candidateImport, importId);
    if (state === null) return;
    for (const waiting of state.waiting) {
      lost.throwIfAborted();
      const result = await this.resultOf(state, waiting, cause);
      const context = this.contextOf(state, `${waiting.row} result`, cause);
      const handled = await this.streams.handle(candidateImport, importId, context, (now) =>
        endRow(now, waiting.row, result),
      );
      if (handled.kind === 'refused') throw new Error(handled.refusal.message);
    }
  }

  /** Makes the rows unreadable for good. */
  async drop(importId: string, { causedBy, correlationId }: ImportCause, reactor: string): Promise<void> {
    await this.vault.keys.erase(importId as PersonId);
    const context = this.contexts.forReaction(reactor, causedBy, correlationId);
    const handled = await this.streams.handle(candidateImport, importId, context, dropRows);
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  }

  private async resultOf(
    state: CandidateImport,
    { row, sealed }: WaitingRow,
    cause: ImportCause,
  ): Promise<RowResult> {
    const { organisationId, importId, roleId } = state;
    const opened = sealed === null ? 'erased' : await this.sealer.open(importId as PersonId, sealed);
    if (opened === 'erased') return { code: 'erased' };
    const content = JSON.parse(opened.toString()) as RowContent;
    const context = this.contextOf(state, `${row}`, cause);
    const command = new InviteCandidate(context, { organisationId, roleId, ...content });
    const handled = await this.inviting.execute(command);
    if (handled.kind === 'done')
      return { applicationId: present(present(handled.state).invitations.at(-1)).applicationId };
    const { code, message } = handled.refusal;
    // Others change the same candidate again and again: later they may not.
    if (code === 'conflict') throw new Error(message);
    return { code };
  }

  private contextOf(
    { importId, begunBy }: CandidateImport,
    what: string,
    { causedBy, correlationId }: ImportCause,
  ): RequestContext {
    const context = this.contexts.forReaction(NAME, `${importId} ${what}`, correlationId);
    return { ...context, actor: begunBy, causationId: causedBy };
  }
}
