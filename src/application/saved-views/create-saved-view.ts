import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidate } from '../../domain/candidate/decider.js';
import {
  createSavedView,
  savedViewsDecider,
  type SavedViewsState,
  type Search,
  type Viewer,
} from '../../domain/saved-view/decider.js';
import type { SavedFilter, SavedList } from '../../domain/saved-view/events.js';
import type { Vault } from '../../vault/port.js';
import { CandidateDirectory } from '../applications/directory.js';
import { isErased, type Keys } from '../applications/erased.js';
import { Rosters } from '../organisations/memberships.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';

/** Reads what commands on saved views need beside the views themselves. */
@Injectable()
export class SavedViewFacts {
  constructor(
    private readonly rosters: Rosters,
    @Inject(CandidateDirectory) private readonly directory: Pick<CandidateDirectory, 'find'>,
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Keys,
  ) {}

  /** The caller's membership; `undefined`: it has ended. */
  async viewer(organisationId: string, { actor }: CommandContext): Promise<Viewer | undefined> {
    const { members } = await this.rosters.now(organisationId);
    return members.find(({ subject }) => subject === actor.id);
  }

  /**
   * The search of a filter, with the one candidate whom it names by their address or by their id. `null`: it names no
   * text, and no candidate of the organisation who can still be read.
   */
  async search(
    organisationId: string,
    { filter, text }: { readonly filter: SavedFilter; readonly text: string | null },
  ): Promise<Search | null> {
    if (text !== null) return { text, person: await this.directory.find(organisationId, text) };
    const { candidateId } = filter;
    if (typeof candidateId !== 'string') return null;
    const { state } = await this.streams.read(candidate, candidateId);
    if (state?.organisationId !== organisationId || (await isErased(this.vault, candidateId))) return null;
    return { text, person: state.candidateId };
  }
}

/** Saves a list's filter and search under a name. */
export class CreateSavedView extends UseCase<
  SavedViewsState,
  {
    readonly organisationId: string;
    readonly savedViewId: string;
    readonly list: SavedList;
    readonly name: string;
    readonly filter: SavedFilter;
    /** What is searched for, `null` for nothing. */
    readonly text: string | null;
    readonly shared: boolean;
  }
> {
  readonly name = 'CreateSavedView';
}

@CommandHandler(CreateSavedView)
export class CreateSavedViewHandler implements ICommandHandler<CreateSavedView> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly facts: SavedViewFacts,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  execute({ context, input }: CreateSavedView): Promise<Handled<SavedViewsState>> {
    const { organisationId, savedViewId } = input;
    return this.streams.handle(savedViewsDecider, organisationId, context, async (state) => {
      const [viewer, search] = await Promise.all([
        this.facts.viewer(organisationId, context),
        this.facts.search(organisationId, input),
      ]);
      const decision = createSavedView(state, { ...input, viewer, search });
      // A view is a person in the vault. Before the view's event, and also if it searches for a candidate, since a
      // later change may search for a text.
      if (decision.kind === 'accepted') await this.vault.keys.create(savedViewId as PersonId);
      return decision;
    });
  }
}
