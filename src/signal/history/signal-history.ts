import { evaluations } from '../../../projections/evaluations.js';
import { roles } from '../../../projections/roles.js';
import { signal, type SignalDocument } from '../../../projections/signal.js';
import type { History } from '../../app/history/history.js';
import type { Reading } from '../../app/history/past.js';
import type { ListQuery, Query } from '../../app/http/list-query.js';
import type { Freshness, Reads } from '../../app/reads.js';
import type { Position } from '../../event-store/port.js';
import { streamName } from '../../event-store/stream-name.js';
import type { Found } from '../../projection-engine/reads.js';
import type { AnyView, DocumentOf } from '../../projection-engine/view.js';

/** The signal summary of former times. */
export class SignalHistory {
  constructor(
    private readonly reads: Reads,
    private readonly history: History,
  ) {}

  /**
   * @returns `null`: there was no such organisation then
   * @throws {ApiError} `validation_failed`, `too_far`, `unavailable`
   */
  async read(organisationId: string, query: Query, meta: Freshness): Promise<SignalDocument | null> {
    const moment = await this.history.moment(query);
    const { position } = moment;
    if (moment.until === null) {
      const live = await this.reads.getAt(signal, organisationId, position, meta);
      if (live && live.position <= position) return live.document;
    }
    await this.reads.waitFor([roles, evaluations], position);
    return this.history.goBack(moment, this.readings(organisationId, position), async (then) => {
      const found = await then.get(signal, organisationId, meta);
      return found?.document ?? null;
    });
  }

  /** The streams that a summary is made of; only the live views know which they are, and they only ever become more. */
  private async *readings(organisationId: string, position: Position): AsyncGenerator<Reading> {
    yield (past) => past.stream(streamName('organisation', organisationId));
    for await (const { id } of this.all(roles, organisationId, position))
      yield (past) => past.stream(streamName('role', id));
    for await (const { document } of this.all(evaluations, organisationId, position)) {
      const { trialSessionId, applicationId } = document;
      yield (past) => past.last(streamName('trial', trialSessionId), 'trial.completed');
      yield (past) => past.stream(streamName('application', applicationId));
    }
  }

  private async *all<V extends AnyView>(
    view: V,
    organisationId: string,
    position: Position,
  ): AsyncGenerator<Found<DocumentOf<V>>> {
    const freshness: Freshness = { consistencyToken: null };
    let list: ListQuery = { limit: 200, cursor: null };
    do {
      const page = await this.reads.listAt(
        view,
        'byOrganisation',
        [organisationId],
        list,
        position,
        freshness,
      );
      yield* page.items;
      list = { ...list, cursor: page.nextCursor };
    } while (list.cursor !== null);
  }
}
