import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  NO_SAVED_VIEW,
  removeSavedView,
  savedViewsDecider,
  type SavedViewsState,
} from '../../domain/saved-view/decider.js';
import type { Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';
import { SavedViewFacts } from './create-saved-view.js';

/**
 * Removes a saved view. What was under the view's own key can no longer be read, not even in the log. The name and the
 * search of a view that shows one candidate are under the candidate's key, and stay in the log until their erasure.
 */
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

  /** @throws {VaultUnavailable} the removal is recorded, but the texts can still be read: send it again */
  async execute({ context, input }: RemoveSavedView): Promise<Handled<SavedViewsState>> {
    const { organisationId, savedViewId } = input;
    const { expectedVersion } = context;
    const handled = await this.streams.handle(savedViewsDecider, organisationId, context, async (state) => {
      const viewer = await this.facts.viewer(organisationId, context);
      return removeSavedView(state, { savedViewId, viewer, expectedVersion });
    });
    // After the event: until it is stored, a change by another process may still refuse the removal.
    if (handled.kind === 'done') await this.vault.keys.erase(savedViewId as PersonId);
    if (handled.kind === 'done' || handled.refusal.code === NO_SAVED_VIEW.refusal.code)
      await this.finishRemovals(organisationId);
    return handled;
  }

  /** Destroys the keys of removed views whose process ended before it did. */
  private async finishRemovals(organisationId: string): Promise<void> {
    const readable = new Set<string>();
    for await (const { type, data, person, personal } of this.streams.each(savedViewsDecider, organisationId))
      if (type !== 'saved_view.removed') {
        if (person === data.savedViewId && personal !== null) readable.add(data.savedViewId);
      } else if (readable.has(data.savedViewId)) await this.vault.keys.erase(data.savedViewId as PersonId);
  }
}
