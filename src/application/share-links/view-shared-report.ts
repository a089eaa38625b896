import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { shareLink, type ShareLinkState, viewSharedReport } from '../../domain/share-link/decider.js';
import { UseCase } from '../use-case.js';

/** More tries than a command has: views that several processes count at the same time are no contradiction. */
const MAX_TRIES = 5;

/** Counts a view of the report that a link leads to. Refused if the link shows nothing any more. */
export class ViewSharedReport extends UseCase<ShareLinkState, { readonly linkId: string }> {
  readonly name = 'ViewSharedReport';
}

@CommandHandler(ViewSharedReport)
export class ViewSharedReportHandler implements ICommandHandler<ViewSharedReport> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, input }: ViewSharedReport): Promise<Handled<ShareLinkState>> {
    for (let tries = 1; ; tries++) {
      const handled = await this.streams.handle(shareLink, input.linkId, context, (state) =>
        viewSharedReport(state, context),
      );
      if (handled.kind === 'done' || handled.refusal.code !== 'conflict' || tries === MAX_TRIES)
        return handled;
    }
  }
}
