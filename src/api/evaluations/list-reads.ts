import { Controller, Get, Inject, Param } from '@nestjs/common';
import { component, instant, objectOf, oneOf, pageOf, text } from '../../core/json-schema.js';
import { VAULT } from '../../process/tokens.js';
import { assertReadPlace, type Reader, type ReadPlace, type Vault } from '../../vault/port.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound, validationFailed } from '../http/api-error.js';
import { type ListQuery, badCursor } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { assertNotErased } from '../applications/erased.js';
import { StaffEvaluations } from './staff-evaluations.js';

/** That somebody read an evaluation, as staff see it. */
export interface ReadRecord {
  readonly actor: Reader;
  readonly at: string;
}

const readSchema = () =>
  component(
    'Read',
    objectOf({
      actor: objectOf({ type: oneOf('staff', 'candidate', 'operator', 'share_link'), id: text }),
      at: instant,
    }),
  );

@Controller('organisations/:orgId/evaluations/:id/reads')
export class EvaluationReadsController {
  constructor(
    private readonly staff: StaffEvaluations,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  @Get()
  @StaffMay('reads.read')
  @Operation({
    id: 'evaluationReads.list',
    tag: 'Evaluations',
    summary: 'List who read an evaluation',
    description:
      'Every read of the evaluation, of a former generation, its explanation and its history, by whomever; of a shared report by its link, and of an export by the candidate or an operator. Each is recorded before it is answered.',
    list: true,
    success: { status: 200, description: 'Reads, newest first.', schema: pageOf(readSchema()) },
    errors: ['not_found', 'erased'],
  })
  async list(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @List() { limit, cursor }: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<{ readonly items: readonly ReadRecord[]; readonly nextCursor: string | null }>> {
    const before = readReadsCursor(cursor);
    const found = await this.staff.byId(organisationId, id, meta);
    if (!found) throw notFound('There is no such evaluation.');
    await assertNotErased(this.vault, found.document.candidateId);
    // One more than is shown tells whether there are more.
    const entries = await this.vault.reads.list(id, { limit: limit + 1, before });
    const shown = entries.slice(0, limit);
    const last = shown.at(-1);
    return ok({
      items: shown.map(({ actor, at }) => ({ actor, at })),
      nextCursor: last && entries.length > limit ? writeReadsCursor(last) : null,
    });
  }
}

/** The cursor of a list that goes on after a read. */
export const writeReadsCursor = ({ at, id }: ReadPlace): string =>
  Buffer.from(`${at} ${id}`).toString('base64url');

/**
 * @param cursor `null`: from the newest on
 * @throws {ApiError} `validation_failed`: no list of reads gave it
 */
export const readReadsCursor = (cursor: string | null): ReadPlace | null => {
  if (cursor === null) return null;
  const [at = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const place = { at, id };
  if (rest.length > 0 || writeReadsCursor(place) !== cursor || !isPlace(place))
    throw validationFailed([badCursor]);
  return place;
};

const isPlace = (place: ReadPlace): boolean => {
  try {
    assertReadPlace(place);
    return true;
  } catch {
    return false;
  }
};
