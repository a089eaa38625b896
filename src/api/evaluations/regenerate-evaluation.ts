import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Param, Post } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { staleVersion } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  evaluationDecider,
  type EvaluationState,
  requestRegeneration,
} from '../../domain/evaluation/decider.js';
import { integer, objectOf, oneOf, uuid } from '../../core/json-schema.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, accepted } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { StaffEvaluations } from './staff-evaluations.js';

/** Asks for the next generation of an evaluation that is known to exist. */
export class RegenerateEvaluation extends Command<Handled<EvaluationState>> {
  constructor(
    readonly context: RequestContext,
    readonly evaluationId: string,
    readonly application: Pick<ApplicationRef, 'candidateId' | 'applicationId'>,
  ) {
    super();
  }
}

@CommandHandler(RegenerateEvaluation)
export class RegenerateEvaluationHandler implements ICommandHandler<RegenerateEvaluation> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, evaluationId, application }: RegenerateEvaluation): Promise<Handled<EvaluationState>> {
    return this.streams.handle(evaluationDecider, streamName('evaluation', evaluationId), context, (state) =>
      withInvitation(this.streams, application, () => {
        const stale = staleVersion(context.expectedVersion, state.version);
        return stale ?? requestRegeneration({ begun: true }, state);
      }),
    );
  }
}

@Controller('organisations/:orgId/evaluations/:id/regenerations')
export class RegenerateEvaluationController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffEvaluations,
  ) {}

  @Post()
  @StaffMay('evaluations.regenerate')
  @Operation({
    id: 'evaluations.regenerate',
    tag: 'Evaluations',
    summary: 'Generate an evaluation anew',
    description: 'Asks for the next generation; the former ones stay readable.',
    success: {
      status: 202,
      description: 'The generation that is asked for.',
      schema: objectOf({ evaluationId: uuid, generation: integer, status: oneOf('generating') }),
      headers: ['Location'],
    },
    conditional: true,
    errors: ['not_found', 'evaluation_generating', 'erased', 'conflict'],
  })
  async regenerate(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const found = await this.staff.settled(() => this.staff.byId(organisationId, id, meta));
    if (!found) throw notFound('There is no such evaluation.');
    const command = new RegenerateEvaluation(context, id, found.document);
    const { state, consistencyToken } = await this.commands.execute(command);
    const { generation } = state;
    const location = `/organisations/${organisationId}/evaluations/${id}?generation=${generation}`;
    return accepted({ evaluationId: id, generation, status: 'generating' }, { location, consistencyToken });
  }
}
