import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { candidate } from '../../domain/candidate/decider.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  createShareLink,
  DEFAULT_DAYS,
  shareLink,
  type ShareLinkState,
} from '../../domain/share-link/decider.js';
import type { ShareLinkIds } from '../../domain/share-link/events.js';
import { ShareTokens, tokenHash } from './tokens.js';

/** Makes a link to the report of an evaluation that is known to exist. */
export class CreateShareLink extends Command<Handled<ShareLinkState>> {
  constructor(
    readonly context: RequestContext,
    readonly evaluation: Omit<ShareLinkIds, 'linkId'>,
    readonly expiresInDays = DEFAULT_DAYS,
  ) {
    super();
  }
}

@CommandHandler(CreateShareLink)
export class CreateShareLinkHandler implements ICommandHandler<CreateShareLink> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly tokens: ShareTokens,
  ) {}

  async execute({ context, evaluation, expiresInDays }: CreateShareLink): Promise<Handled<ShareLinkState>> {
    const linkId = context.newRecordId('share link');
    const hash = tokenHash(await this.tokens.tokenOf(linkId));
    return this.streams.handle(shareLink, streamName('share_link', linkId), context, async (state) => {
      const { evaluationId, candidateId } = evaluation;
      const [generated, person] = await Promise.all([
        this.streams.read(evaluationDecider, streamName('evaluation', evaluationId)),
        this.streams.read(candidate, streamName('candidate', candidateId)),
      ]);
      const { state: result } = generated;
      return createShareLink(state, {
        ids: { ...evaluation, linkId },
        tokenHash: hash,
        expiresInDays,
        now: context.now,
        erased: person.state?.erased === true || result.status === 'erased',
        ready: result.status !== 'none' && result.readyGeneration !== null,
      });
    });
  }
}
