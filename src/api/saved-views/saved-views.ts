import { Body, Controller, Delete, Get, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { EVERYBODY, type SavedViewDocument, savedViews } from '../../../projections/saved-views.js';
import type { Member } from '../../application/caller.js';
import { type Freshness, type ListQuery, Reads } from '../../application/reads.js';
import { ChangeSavedView, ChangeSavedViewHandler } from '../../application/saved-views/change-saved-view.js';
import {
  CreateSavedView,
  CreateSavedViewHandler,
  SavedViewFacts,
} from '../../application/saved-views/create-saved-view.js';
import { RemoveSavedView, RemoveSavedViewHandler } from '../../application/saved-views/remove-saved-view.js';
import { present } from '../../application/use-case.js';
import type { RequestContext } from '../../core/command-context.js';
import { Instant, Named, Nullable, Ordinal, pick, type Static, Type, Uuid } from '../../core/json-schema.js';
import {
  isShownTo,
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  NO_SAVED_VIEW,
  type SavedView,
  savedViewOf,
} from '../../domain/saved-view/decider.js';
import type { SavedList } from '../../domain/saved-view/events.js';
import { CurrentMember, StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, type AnswerOptions, created, noContent, ok, page } from '../../http/answer.js';
import { refusalToApiError, validationFailed } from '../../http/api-error.js';
import { badCursor, type Query as QueryString, queryParameter, readQuery } from '../../http/list-query.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import {
  answersNewRecord,
  answersPage,
  answersRecord,
  Operation,
  type Operations,
} from '../../http/openapi/operation.js';
import { EXAMPLE_IDS } from '../../http/openapi/parameters.js';
import { Schema } from '../../http/validation/fields.js';
import {
  Checked,
  Flag,
  LineWithoutAddress,
  Nullable as MayBeNull,
  OneOf,
  Optional,
} from '../../http/validation/rules.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { FILTER, type FilterRecord, readFilter, SAVED_LIST } from './filters.js';

/** A saved view as every path returns it. */
const SavedViewRecord = Named('SavedView', {
  id: Uuid,
  list: SAVED_LIST,
  name: Nullable(Type.String({ description: '`null` once it was erased.' })),
  filter: FILTER,
  erased: Type.Boolean({
    description:
      'What it searched for, and its name, were erased with the candidate whose address or id it was: the filter lacks `text`, and the view shows nothing.',
  }),
  shared: Type.Boolean({ description: 'Whether all members who may read the list see it.' }),
  mine: Type.Boolean({ description: 'Whether it is the caller’s.' }),
  createdAt: Instant,
  createdBy: Type.String({ description: 'The subject of the member who made it.' }),
  updatedAt: Instant,
  version: Ordinal,
});
type SavedViewRecord = Static<typeof SavedViewRecord>;

/** Must have no e-mail address: the erasure of its person would not remove it. */
const Name = (): PropertyDecorator => LineWithoutAddress(80);

const Filter = (): PropertyDecorator =>
  Checked(FILTER, { name: 'object', holds: isObject, sentence: '{path} must be an object.' });

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

@Schema('CreateSavedView')
export class CreateSavedViewDto {
  @OneOf(SAVED_LIST) list!: SavedList;
  @Name() name!: string;
  @Filter() filter!: FilterRecord;
  @Optional() @Flag() shared?: boolean;
}

/**
 * What is left out stays as it is, and so does a name that is `null`: an erased name is answered as `null`, and clients
 * may send it back.
 */
@Schema('ChangeSavedView')
export class ChangeSavedViewDto {
  @Optional() @MayBeNull() @Name() name?: string | null;
  @Optional() @Filter() filter?: FilterRecord;
  @Optional() @Flag() shared?: boolean;
}

const OF_LIST = queryParameter('list', SAVED_LIST, 'Only those of this list.');

const operations = {
  create: {
    id: 'savedViews.create',
    tag: 'Saved views',
    summary: 'Save a view of a list',
    example: {
      list: 'applications',
      name: 'Waiting for an outcome',
      filter: { roleId: EXAMPLE_IDS.roleId, waiting: 'outcome' },
      shared: true,
    },
    description: `A view is the caller’s own, or shared with all members who may read the list. \`filter\` has the parameters of the list, and \`text\`, what it is searched for. A member has at most ${MAX_OWN_VIEWS} views, no two of a list by the same name; an organisation has at most ${MAX_SHARED_VIEWS} shared ones.`,
    links: { savedViewId: '/id' },
    success: answersNewRecord('The saved view.', SavedViewRecord),
  },
  list: {
    id: 'savedViews.list',
    tag: 'Saved views',
    summary: 'List saved views',
    list: true,
    query: [OF_LIST],
    links: { savedViewId: '/items/0/id' },
    success: answersPage('The caller’s own views and the shared ones, oldest first.', SavedViewRecord),
  },
  read: {
    id: 'savedViews.read',
    tag: 'Saved views',
    summary: 'Read a saved view',
    success: answersRecord('The saved view.', SavedViewRecord),
  },
  change: {
    id: 'savedViews.change',
    tag: 'Saved views',
    summary: 'Change a saved view',
    example: { name: 'Waiting for my outcome' },
    description:
      'What is left out stays as it is, and so does a `name` that is `null`; `filter` is replaced as a whole. A shared view can be changed by its maker, owners and admins, and only its maker can stop sharing it.',
    success: answersRecord('The saved view.', SavedViewRecord),
    conditional: true,
    errors: ['erased'],
  },
  remove: {
    id: 'savedViews.remove',
    tag: 'Saved views',
    summary: 'Remove a saved view',
    description: 'By its maker; a shared one by owners and admins too.',
    success: { status: 204, description: 'It is removed.' },
    conditional: true,
  },
} satisfies Operations;

/** The views that a member has saved, and those that others share. */
@Controller('organisations/:orgId/saved-views')
export class SavedViewsController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
  ) {}

  @Post()
  @StaffMay('views.save')
  @Operation(operations.create)
  async create(
    @Param('orgId') organisationId: string,
    @Body() { list, name, filter, shared = false }: CreateSavedViewDto,
    @CurrentMember() member: Member,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<SavedViewRecord>> {
    // Made of the Idempotency-Key alone: an id must not depend on what is searched for.
    const savedViewId = context.newRecordId('saved view');
    const input = { organisationId, savedViewId, list, name, ...readFilter(list, filter), shared };
    const { state, consistencyToken } = await this.commands.execute(new CreateSavedView(context, input));
    const { record, options } = answered(present(savedViewOf(state, savedViewId)), member);
    const location = `/organisations/${organisationId}/saved-views/${savedViewId}`;
    return created(location, record, { ...options, consistencyToken });
  }

  @Get()
  @StaffMay('views.save')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() { limit, cursor }: ListQuery,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const list = readQuery(query, OF_LIST);
    if (cursor !== null && !CURSOR.test(cursor)) throw validationFailed([badCursor]);
    const shown = (await this.shown(organisationId, member, meta))
      .filter((one) => list === null || one.list === list)
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
      .filter((one) => cursor === null || placeOf(one) > cursor);
    const items = shown.slice(0, limit);
    const last = items.at(-1);
    const nextCursor = last && shown.length > limit ? placeOf(last) : null;
    return page({ items, nextCursor }, (one) => one);
  }

  @Get(':savedViewId')
  @StaffMay('views.save')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('savedViewId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<SavedViewRecord>> {
    const found = await this.found(organisationId, id, member, meta);
    if (!found) throw noSuchView();
    const { record, options } = answered(found, member);
    return ok(record, options);
  }

  @Patch(':savedViewId')
  @StaffMay('views.save')
  @Operation(operations.change)
  async change(
    @Param('orgId') organisationId: string,
    @Param('savedViewId') savedViewId: string,
    @Body() { name, filter, ...change }: ChangeSavedViewDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<SavedViewRecord>> {
    const view = await this.reads.findCaughtUp([savedViews], () =>
      this.found(organisationId, savedViewId, member, meta),
    );
    if (!view) throw noSuchView();
    const narrowed = filter && { narrowed: readFilter(view.list, filter) };
    const input = { organisationId, savedViewId, ...(name != null && { name }), ...change, ...narrowed };
    const command = new ChangeSavedView(context, input);
    const { state, consistencyToken } = await this.commands.execute(command);
    const { record, options } = answered(present(savedViewOf(state, savedViewId)), member);
    return ok(record, { ...options, consistencyToken });
  }

  @Delete(':savedViewId')
  @StaffMay('views.save')
  @Operation(operations.remove)
  async remove(
    @Param('orgId') organisationId: string,
    @Param('savedViewId') savedViewId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const command = new RemoveSavedView(context, { organisationId, savedViewId });
    const { consistencyToken } = await this.commands.execute(command);
    return noContent({ consistencyToken });
  }

  /** All views that the member may see, own and shared: the limits of both bound them. */
  private async shown(
    organisationId: string,
    member: Member,
    freshness: Freshness,
  ): Promise<readonly SavedViewRecord[]> {
    const read = async (readers: string, limit: number) =>
      (
        await this.reads.page(
          savedViews,
          { index: 'byReaders', prefix: [organisationId, readers], limit },
          freshness,
        )
      ).items;
    const found = await Promise.all([
      read(member.memberId, MAX_OWN_VIEWS),
      read(EVERYBODY, MAX_SHARED_VIEWS),
    ]);
    return found
      .flat()
      .map(knownBy)
      .filter((one) => isReadable(one) && isShownTo(one, member))
      .map((one) => answered(one, member).record);
  }

  /** A view that the member is shown; `null`: there is none by that id. */
  private async found(
    organisationId: string,
    id: string,
    member: Member,
    freshness: Freshness,
  ): Promise<Known | null> {
    const found = await this.reads.get(savedViews, id, freshness);
    if (found?.document.organisationId !== organisationId) return null;
    const known = knownBy(found);
    return isReadable(known) && isShownTo(known, member) ? known : null;
  }
}

const noSuchView = () => refusalToApiError(NO_SAVED_VIEW.refusal);

/** What a record is made of: the view as its stream or its read model has it. */
type Known = Omit<SavedView, 'organisationId' | 'person'>;

const knownBy = ({
  id,
  document: { personal, ...document },
}: {
  readonly id: string;
  readonly document: SavedViewDocument;
}): Known => ({ ...document, savedViewId: id, name: personal?.name ?? null, text: personal?.text ?? null });

/** False if the view's own key is destroyed: the view is being removed, or its maker has left. */
const isReadable = ({ name, searches }: Known): boolean => name !== null || searches === 'person';

const answered = (
  view: Known,
  { memberId }: Pick<Member, 'memberId'>,
): { readonly record: SavedViewRecord; readonly options: AnswerOptions } => {
  const { savedViewId: id, name, text, version } = view;
  const erased = name === null;
  const filter = text === null ? view.filter : { ...view.filter, text };
  const mine = view.memberId === memberId;
  const record = pick(SavedViewRecord, { ...view, id, filter, erased, mine });
  // An erasure changes the answer and not the version: the entity tag has it beside the version.
  return { record, options: { version, beside: erased ? ['erased'] : [] } };
};

/** The cursor of the page that begins after a view. */
const placeOf = ({ createdAt, id }: Pick<SavedViewRecord, 'createdAt' | 'id'>): string =>
  `${createdAt}_${id}`;

const CURSOR = /^[\dTZ:.-]{24}_[\da-f-]{36}$/;

/** Filters of lists that members keep under a name. */
@Module({
  imports: [ApplicationsModule],
  controllers: [SavedViewsController],
  providers: [CreateSavedViewHandler, ChangeSavedViewHandler, RemoveSavedViewHandler, SavedViewFacts],
})
export class SavedViewsModule {}
