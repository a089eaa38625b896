import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import {
  changeSavedView,
  savedViewOf,
  savedViewsDecider,
  type SavedViewsState,
} from '../../domain/saved-view/decider.js';
import type { SavedFilter } from '../../domain/saved-view/events.js';
import { isErased, type Keys } from '../applications/erased.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';
import { SavedViewFacts } from './create-saved-view.js';

/** Changes a saved view. What is left out stays as it is. */
export class ChangeSavedView extends UseCase<
  SavedViewsState,
  {
    readonly organisationId: string;
    readonly savedViewId: string;
    readonly name?: string;
    /** As of `CreateSavedView`. */
    readonly narrowed?: { readonly filter: SavedFilter; readonly text: string | null };
    readonly shared?: boolean;
  }
> {
  readonly name = 'ChangeSavedView';
}

@CommandHandler(ChangeSavedView)
export class ChangeSavedViewHandler implements ICommandHandler<ChangeSavedView> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly facts: SavedViewFacts,
    @Inject(VAULT) private readonly vault: Keys,
  ) {}

  execute({ context, input }: ChangeSavedView): Promise<Handled<SavedViewsState>> {
    const { organisationId, narrowed, ...change } = input;
    const { expectedVersion } = context;
    return this.streams.handle(savedViewsDecider, organisationId, context, async (state) => {
      const person = savedViewOf(state, input.savedViewId)?.person ?? null;
      const [viewer, search, erased] = await Promise.all([
        this.facts.viewer(organisationId, context),
        narrowed ? this.facts.search(organisationId, narrowed) : null,
        person !== null && isErased(this.vault, person),
      ]);
      const next = narrowed && { narrowed: { filter: narrowed.filter, search } };
      return changeSavedView(state, { ...change, ...next, viewer, expectedVersion, erased });
    });
  }
}
