import { describe, expect, it } from '@jest/globals';
import { after, NOW, specification } from '../../../test/support/given-when-then.js';
import type { AnyEvent } from '../../core/event.js';
import type { EventIn } from '../../core/registry.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { fileSetEvents } from './events.js';
import { beginFileSet, completed, completeFileSet, fileSet, isLapsed } from './file-set.js';

type FileSetEvent = EventIn<typeof fileSetEvents>;

const spec = specification(fileSet);
const ids = { organisationId: 'o', ticketId: 't', fileSetId: 'f' };
const announced = { name: 'starter.zip', bytes: 9, sha256: 'a' };
const tree = { treeSha256: 'b', files: [{ path: 'main.py', bytes: 3, sha256: 'c' }] };
const event = (type: FileSetEvent['type'], data: object): FileSetEvent =>
  ({ type, data: { ...ids, ...data }, person: null, personal: null }) as AnyEvent as FileSetEvent;
const begun = event('file_set.begun', announced);
const complete = event('file_set.completed', tree);

describe('a file set', () => {
  it('is begun once', () => {
    spec
      .given()
      .when((state) => beginFileSet(state, { ...ids, ...announced }))
      .then(begun);
    spec
      .given(begun)
      .when((state) => beginFileSet(state, { ...ids, ...announced }))
      .thenNothing();
  });

  it('is complete once it was unpacked, and then never changes', () => {
    const outcome = spec.given(begun).when((state) => completeFileSet(state, tree));
    outcome.then(complete);
    expect(completed(outcome.state()!)).toEqual({ id: 'f', ...announced, ...tree });
    spec
      .given(begun, complete)
      .when((state) => completeFileSet(state, { ...tree, treeSha256: 'other' }))
      .thenNothing();
  });

  it('that was not begun cannot be completed', () => {
    spec
      .given()
      .when((state) => completeFileSet(state, tree))
      .thenRefused('not_found');
  });

  it('is to be named within a day', () => {
    const state = spec
      .given()
      .when((before) => beginFileSet(before, { ...ids, ...announced }))
      .state()!;
    expect(state.begunAt).toBe(NOW);
    expect(isLapsed(state, new Date(after(DAY_MS - 1)))).toBe(false);
    expect(isLapsed(state, new Date(after(DAY_MS)))).toBe(true);
  });
});
