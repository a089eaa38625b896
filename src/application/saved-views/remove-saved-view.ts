import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { removeSavedView, savedViewsDecider, type SavedViewsState } from '../../domain/saved-view/decider.js';
import type { Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';
import { SavedViewFacts } from './create-saved-view.js';

/** Removes a saved view. Its name and its search can no longer be read, not even in the log. */
export class RemoveSavedView extends UseCase<
  SavedViewsState,
  { readonly organisationId: string; readonly savedViewId: string }
> {
  readonly name = 'RemoveSavedView';
}

@CommandHandler(RemoveSavedView)
export class RemoveSavedViewHandler implements ICommandHandler<RemoveSavedView> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly facts: SavedViewFacts,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  execute({ context, input }: RemoveSavedView): Promise<Handled<SavedViewsState>> {
    const { organisationId, savedViewId } = input;
    const { expectedVersion } = context;
    return this.streams.handle(savedViewsDecider, organisationId, context, async (state) => {
      const viewer = await this.facts.viewer(organisationId, context);
      const decision = removeSavedView(state, { savedViewId, viewer, expectedVersion });
      // Before its event: a process that ends in between leaves a view whose texts cannot be read.
      if (decision.kind === 'accepted') await this.vault.keys.erase(savedViewId as PersonId);
      return decision;
    });
  }
}
