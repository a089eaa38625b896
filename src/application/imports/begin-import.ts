import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import pMap from 'p-map';
import { validate as isUuid } from 'uuid';
import { MailQuota, MailsLimited } from '../../clients/mail-quota.js';
import type { RequestContext } from '../../core/command-context.js';
import { type Decision, type Problem, refuseInvalid } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import { notInvitable } from '../../domain/candidate/decider.js';
import { beginImport, candidateImport, type ImportState } from '../../domain/candidate-import/decider.js';
import type { ImportEvent } from '../../domain/candidate-import/events.js';
import { isStopped } from '../../domain/candidate-import/progress.js';
import { NO_ROLE, role as roleDecider } from '../../domain/role/decider.js';
import type { Vault } from '../../vault/port.js';
import { CandidateDirectory } from '../applications/directory.js';
import type { InviteCandidate } from '../applications/invite-candidate.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';

/** A row's content. */
export type RowContent = Omit<InviteCandidate['input'], 'organisationId' | 'roleId'>;

/** A row of an import that can be invited. */
export interface CheckedRow {
  /** As spreadsheet programs count: the header is row 1. */
  readonly row: number;
  readonly content: RowContent;
}

/** Begins an import of rows: a reactor invites each of them to the role. `roleId` may be any text. */
export class BeginImport extends UseCase<
  ImportState,
  {
    readonly organisationId: string;
    readonly roleId: string;
    readonly rows: readonly CheckedRow[];
    /** Times in the rows that have passed by now: an import that was begun before is recognised all the same. */
    readonly passed: readonly Problem[];
  }
> {
  readonly name = 'BeginImport';
}

/** Persons that are looked up or created at the same time. */
const AT_ONCE = 16;

@CommandHandler(BeginImport)
export class BeginImportHandler implements ICommandHandler<BeginImport> {
  private readonly sealer: Sealer;

  constructor(
    private readonly streams: CommandStreams,
    private readonly directory: CandidateDirectory,
    private readonly hasher: KeyedHasher,
    private readonly quota: MailQuota,
    @Inject(VAULT) private readonly vault: Vault,
  ) {
    this.sealer = new Sealer(vault);
  }

  async execute(command: BeginImport): Promise<Handled<ImportState>> {
    const { context, input } = command;
    // Only an id may go into a stream's name.
    if (!isUuid(input.roleId)) return NO_ROLE;
    const importId = await this.idForRequest(context, await this.idOfContent(input));
    return this.streams.handle(candidateImport, importId, context, (state) =>
      this.decide(command, state, importId),
    );
  }

  /**
   * The import's id, made of the rows' content: the same file sent again, by any member, is the same import, until its
   * rows are dropped or it is stopped.
   */
  private async idOfContent({ organisationId, roleId, rows }: BeginImport['input']): Promise<string> {
    const content = JSON.stringify(rows);
    for (let former = 0; ; former++) {
      const id = this.hasher.uuidV8('candidate import', organisationId, roleId, content, `${former}`);
      const { state } = await this.streams.read(candidateImport, id);
      if (state === null || (state.droppedAt === null && !isStopped(state))) return id;
    }
  }

  /**
   * The import to which the command goes: usually that of its content. If the request's Idempotency-Key has already
   * begun an import of other rows, it goes to that one, whose stream refuses it as a reuse of the key.
   */
  private async idForRequest(
    { commandId, requestHash }: RequestContext,
    idOfContent: string,
  ): Promise<string> {
    // Without an Idempotency-Key, the request cannot be sent again.
    if (requestHash === null) return idOfContent;
    const claim = this.hasher.hmac('candidate import', commandId);
    const first = await this.vault.claims.claim(claim, idOfContent as PersonId);
    if (first === idOfContent || (await this.streams.hasCommand(candidateImport, first, commandId)))
      return first;
    // The key's first request has begun nothing, so the key is free for these rows.
    await this.vault.claims.move(claim, first, idOfContent as PersonId);
    return idOfContent;
  }

  /** @throws {MailsLimited} the organisation has no room left for that many mails today */
  private async decide(
    { context, input }: BeginImport,
    state: ImportState,
    importId: string,
  ): Promise<Decision<ImportEvent>> {
    const { organisationId, roleId, rows, passed } = input;
    const ids = { organisationId, importId };
    // Already begun: accepted without an event, so its rows are not sealed again.
    if (state !== null) return beginImport(state, { ...ids, roleId, rows: [], now: context.now });
    if (passed.length > 0) return refuseInvalid(passed);
    const { state: role } = await this.streams.read(roleDecider, roleId);
    if (role?.organisationId !== organisationId) return NO_ROLE;
    const closed = notInvitable(role);
    if (closed) return closed;
    const wait = await this.quota.secondsUntilRoom(organisationId, rows.length);
    if (wait > 0) throw new MailsLimited(wait);
    // The vault has keys of persons only, so an import counts as one. Its key is durable before the events whose rows
    // are sealed under it.
    await this.vault.keys.create(importId as PersonId);
    const sealed = await pMap(rows, (row) => this.sealed(ids, row), { concurrency: AT_ONCE });
    return beginImport(state, { ...ids, roleId, rows: sealed, now: context.now });
  }

  private async sealed(
    { organisationId, importId }: { readonly organisationId: string; readonly importId: string },
    { row, content }: CheckedRow,
  ) {
    const sealed = await this.sealer.seal(importId as PersonId, JSON.stringify(content));
    if (sealed === null) throw new PersonErased(importId as PersonId);
    const person = await this.directory.resolve(organisationId, content.email, this.directory.fresh());
    return { row, person, sealed };
  }
}
