import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { candidate } from '../../domain/candidate/decider.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import { createShareLink, shareLink, type ShareLinkState } from '../../domain/share-link/decider.js';
import type { ShareLinkIds } from '../../domain/share-link/events.js';
import { UseCase } from '../use-case.js';
import { ShareTokens, tokenHash } from './tokens.js';

/** Ids of an evaluation that links lead to. */
export type SharedEvaluation = Omit<ShareLinkIds, 'linkId'>;

/** Makes a link to the report of an evaluation. The caller has found the evaluation in the organisation. */
export class CreateShareLink extends UseCase<
  ShareLinkState,
  {
    readonly evaluation: SharedEvaluation;
    readonly expiresInDays: number;
    /** What staff call it, `null` for nothing. */
    readonly label: string | null;
  }
> {
  readonly name = 'CreateShareLink';
}

@CommandHandler(CreateShareLink)
export class CreateShareLinkHandler implements ICommandHandler<CreateShareLink> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly tokens: ShareTokens,
  ) {}

  async execute({ context, input }: CreateShareLink): Promise<Handled<ShareLinkState>> {
    const { evaluation, expiresInDays, label } = input;
    const linkId = context.newRecordId('share link');
    const hash = tokenHash(await this.tokens.tokenOf(linkId));
    return this.streams.handle(shareLink, linkId, context, async (state) => {
      const { evaluationId, candidateId } = evaluation;
      const [generated, person] = await Promise.all([
        this.streams.read(evaluationDecider, evaluationId),
        this.streams.read(candidate, candidateId),
      ]);
      const { state: result } = generated;
      return createShareLink(state, {
        ids: { ...evaluation, linkId },
        tokenHash: hash,
        expiresInDays,
        label,
        now: context.now,
        erased: person.state?.erased === true || result.status === 'erased',
        ready: result.status !== 'none' && result.readyGeneration !== null,
      });
    });
  }
}
