import type { CommandContexts, RequestContext } from '../../core/command-context.js';
import type { CommandStreams } from '../../core/handle.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { apiKeyOf, apiKeysDecider, holderOf } from '../../domain/api-key/decider.js';
import { candidate } from '../../domain/candidate/decider.js';
import {
  type CandidateImport,
  candidateImport,
  dropRows,
  endRow,
  type RowResult,
  type WaitingRow,
} from '../../domain/candidate-import/decider.js';
import { STOPPED } from '../../domain/candidate-import/progress.js';
import { organisation } from '../../domain/organisation/decider.js';
import { memberMay } from '../../domain/organisation/permissions.js';
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
 * Carries out imports. Each row is a command whose id is made of the import and the row. It is sent as the member or API
 * key that began the import, and refused once these may no longer invite. A row opens one application, also if a process
 * ends after the invitation and before it records that, or if two processes invite it at the same time. An import is a
 * person in the vault: its rows are sealed under a key of its own.
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
   * @param ends aborts once the rows that wait are left to another process, or to the next start
   * @throws {MailsLimited} the organisation may not ask for another mail today: the rest waits
   */
  async invite(importId: string, cause: ImportCause, ends: AbortSignal): Promise<void> {
    const { state } = await this.streams.read(candidateImport, importId);
    if (state === null) return;
    for (const waiting of state.waiting) {
      ends.throwIfAborted();
      const result = await this.resultOf(state, waiting, cause);
      const context = this.contextOf(state, `${waiting.row} result`, cause);
      const handled = await this.streams.handle(candidateImport, importId, context, (now) =>
        endRow(now, waiting.row, result),
      );
      if (handled.kind === 'refused') throw new Error(handled.refusal.message);
    }
  }

  /**
   * Makes the rows unreadable, by destroying the import's key, once their retention time is over.
   * @param reactor the caller: the command's id is made of its name
   */
  async drop(importId: string, { causedBy, correlationId }: ImportCause, reactor: string): Promise<void> {
    await this.vault.keys.erase(importId as PersonId);
    const context = this.contexts.forReaction(reactor, causedBy, correlationId);
    const handled = await this.streams.handle(candidateImport, importId, context, dropRows);
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  }

  private async resultOf(
    state: CandidateImport,
    { row, person, sealed }: WaitingRow,
    cause: ImportCause,
  ): Promise<RowResult> {
    const { organisationId, importId, roleId } = state;
    const context = this.contextOf(state, `${row}`, cause);
    if (!(await this.mayInvite(state, context.now)) && !(await this.isInvited(person, context)))
      return { code: STOPPED };
    const opened = sealed === null ? 'erased' : await this.sealer.open(importId as PersonId, sealed);
    if (opened === 'erased') return { code: 'erased' };
    const content = JSON.parse(opened.toString()) as RowContent;
    const command = new InviteCandidate(context, { organisationId, roleId, ...content });
    const handled = await this.inviting.execute(command);
    // The state is that of this command, also if it is repeated: its invitation is the last.
    if (handled.kind === 'done')
      return { applicationId: present(present(handled.state).invitations.at(-1)).applicationId };
    const { code, message } = handled.refusal;
    // Other commands kept changing the same candidate: the reactor tries the import again later.
    if (code === 'conflict') throw new Error(message);
    return { code };
  }

  /** Whether the import's member or API key may invite now. Checked before each row: an import may take days. */
  private async mayInvite({ organisationId, begunBy }: CandidateImport, now: Date): Promise<boolean> {
    const [{ state: employer }, { state: keys }] = await Promise.all([
      this.streams.read(organisation, organisationId),
      this.streams.read(apiKeysDecider, organisationId),
    ]);
    const members = employer?.members ?? [];
    const member =
      begunBy.type === 'api_key'
        ? holderOf(apiKeyOf(keys, begunBy.id), members, now)
        : members.find(({ subject }) => subject === begunBy.id);
    return !!member && memberMay(member, 'candidates.invite');
  }

  /** Whether the row was invited by a process that ended before it could record that. */
  private async isInvited(person: PersonId | null, { commandId }: RequestContext): Promise<boolean> {
    return person !== null && this.streams.hasCommand(candidate, person, commandId);
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
