import { Controller, Get, Inject, Param } from '@nestjs/common';
import type { ListQuery } from '../../application/reads.js';
import { VAULT } from '../../application/tokens.js';
import { Enumeration, Instant, Named, pageOf, pick, Type } from '../../core/json-schema.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, page } from '../../http/answer.js';
import { validationFailed } from '../../http/api-error.js';
import { badCursor } from '../../http/list-query.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { assertReadPlace, type ReadPlace, type Vault } from '../../vault/port.js';
import { assertNotErased } from '../applications/staff-applications.js';
import { StaffEvaluations } from './staff-evaluations.js';

/** A read of an evaluation, as staff see it. */
const ReadRecord = Named('EvaluationRead', {
  actor: Named('Reader', {
    type: Enumeration('ReaderType', ['staff', 'api_key', 'candidate', 'operator', 'share_link']),
    id: Type.String(),
  }),
  at: Instant,
});

const operations = {
  list: {
    id: 'evaluations.listReads',
    tag: 'Evaluations',
    summary: 'List who read an evaluation',
    description:
      'Every read of the evaluation, of a former generation, its explanation and its history, by any reader; of a shared report by its link, and of an export by the candidate or an operator. A list that shows scores of dimensions counts once for each reader and generation. Each is recorded before it is answered.',
    list: true,
    success: { status: 200, description: 'Reads, newest first.', schema: pageOf(ReadRecord) },
    errors: ['erased'],
  },
} satisfies Operations;

@Controller('organisations/:orgId/evaluations/:evaluationId/reads')
export class EvaluationReadsController {
  constructor(
    private readonly staff: StaffEvaluations,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  @Get()
  @StaffMay('reads.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') id: string,
    @List() { limit, cursor }: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const before = readReadsCursor(cursor);
    const found = await this.staff.outline(organisationId, id, meta);
    await assertNotErased(this.vault, found.document.candidateId);
    // One more than is shown, to find out whether there are more.
    const entries = await this.vault.reads.list(id, { limit: limit + 1, before });
    const shown = entries.slice(0, limit);
    const last = shown.at(-1);
    const nextCursor = last && entries.length > limit ? writeReadsCursor(last) : null;
    return page({ items: shown, nextCursor }, (entry) => pick(ReadRecord, entry));
  }
}

/** The cursor of the page after a read. */
export const writeReadsCursor = ({ at, id }: ReadPlace): string =>
  Buffer.from(`${at} ${id}`).toString('base64url');

/**
 * @param cursor `null`: the first page
 * @throws {ApiError} `validation_failed`: it is not from a list of reads
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
