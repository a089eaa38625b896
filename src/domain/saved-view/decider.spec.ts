import { describe, expect, it } from '@jest/globals';
import { fold, NOW, specification, stored } from '../../../test/support/given-when-then.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  type ChangeSavedView,
  changeSavedView,
  type CreateSavedView,
  createSavedView,
  isShownTo,
  MAX_OWN_VIEWS,
  MAX_SHARED_VIEWS,
  removeSavedView,
  type SavedView,
  savedViewsDecider,
  type Viewer,
} from './decider.js';
import { savedViewEvent, type SavedViewEvent } from './events.js';

const spec = specification(savedViewsDecider);
const person = (id: string) => id as PersonId;
const olga: Viewer = { memberId: 'olga', role: 'recruiter' };
const rick: Viewer = { memberId: 'rick', role: 'reviewer' };
const ada: Viewer = { memberId: 'ada', role: 'admin' };
const ids = { organisationId: 'o', savedViewId: 'v' };
const input: CreateSavedView = {
  ...ids,
  list: 'applications',
  name: 'Waiting',
  filter: { waiting: 'outcome' },
  search: null,
  shared: false,
  viewer: olga,
};
const created = (
  over: Partial<Extract<SavedViewEvent, { type: 'saved_view.created' }>['data']> = {},
  texts: { readonly name?: string; readonly text?: string } = {},
  sealedFor = over.savedViewId ?? 'v',
): SavedViewEvent =>
  savedViewEvent(
    'saved_view.created',
    {
      ...ids,
      memberId: 'olga',
      list: 'applications',
      filter: { waiting: 'outcome' },
      searches: 'nothing',
      shared: false,
      ...over,
    },
    person(sealedFor),
    { name: 'Waiting', text: null, ...texts },
  );
const shared = created({ shared: true });
const removed = savedViewEvent('saved_view.removed', ids);
const unreadable = (event: SavedViewEvent): SavedViewEvent => ({ ...event, personal: null });
const several = (count: number, over: { readonly memberId?: string; readonly shared?: boolean }) =>
  Array.from({ length: count }, (_, n) => created({ savedViewId: `v${n}`, ...over }, { name: `View ${n}` }));

describe('saving a view', () => {
  const create = (over: Partial<CreateSavedView> = {}, ...past: SavedViewEvent[]) =>
    spec.given(...past).when((state) => createSavedView(state, { ...input, ...over }));

  it('keeps the filter as it is, and the name and the text under a key of its own', () => {
    create().then(created());
    create({ name: '  Waiting ' }).then(created());
    create({ search: { text: 'Back', person: null } }).then(created({ searches: 'text' }, { text: 'Back' }));
  });

  it('keeps its name under a candidate’s key if it shows that candidate alone, by their id', () => {
    create({ filter: { candidateId: 'c' }, search: { text: null, person: person('c') } }).then(
      created({ filter: { candidateId: 'c' }, searches: 'person' }, {}, 'c'),
    );
  });

  it('keeps both under a candidate’s key if the candidate is searched for', () => {
    create({ search: { text: 'ada@example.org', person: person('c') } }).then(
      created({ searches: 'person' }, { text: 'ada@example.org' }, 'c'),
    );
  });

  it.each(['nobody@example.org', 'Ada ada@example.org', 'ada＠example.org', '@'])(
    'is refused for an address that is nobody’s: %s',
    (text) => create({ search: { text, person: null } }).thenRefused('validation_failed', 'filter.text'),
  );

  it('is refused to who is no member any more', () => create({ viewer: undefined }).thenRefused('forbidden'));

  it('is refused by a name that the member has for this list already, however it is written', () => {
    create({ savedViewId: 'w', name: ' WAITING' }, created()).thenRefused('conflict');
    create({ savedViewId: 'w', list: 'evaluations' }, created()).events();
    create({ savedViewId: 'w', viewer: rick }, created()).events();
    create({ savedViewId: 'w' }, created(), removed).events();
    create({ savedViewId: 'w' }, unreadable(created())).events();
  });

  it('has a limit for each member, and one for all that are shared', () => {
    create({}, ...several(MAX_OWN_VIEWS, {})).thenRefused('conflict');
    create({ viewer: rick }, ...several(MAX_OWN_VIEWS, {})).events();
    const full = several(MAX_SHARED_VIEWS, { memberId: 'somebody', shared: true });
    create({ shared: true }, ...full).thenRefused('conflict');
    create({}, ...full).events();
  });

  it('keeps who made it and when', () => {
    const by = { actor: { type: 'staff', id: 'olga@example.org' } } as const;
    expect(savedViewsDecider.evolve([], stored(shared, by))).toEqual([
      {
        ...ids,
        ...{ memberId: 'olga', list: 'applications', name: 'Waiting', text: null, person: 'v' },
        ...{ filter: { waiting: 'outcome' }, searches: 'nothing', shared: true, version: 1 },
        ...{ createdAt: NOW, createdBy: 'olga@example.org', updatedAt: NOW },
      },
    ]);
  });
});

describe('changing a saved view', () => {
  const change = (over: Partial<ChangeSavedView>, ...past: SavedViewEvent[]) =>
    spec.given(...past).when((state) =>
      changeSavedView(state, {
        ...{ savedViewId: 'v', viewer: olga, expectedVersion: null, erased: false },
        ...over,
      }),
    );
  const changed = (
    over: Partial<Extract<SavedViewEvent, { type: 'saved_view.changed' }>['data']>,
    texts: { readonly name?: string; readonly text?: string } = {},
    sealedFor = 'v',
  ): SavedViewEvent =>
    savedViewEvent(
      'saved_view.changed',
      { ...ids, filter: { waiting: 'outcome' }, searches: 'nothing', shared: false, ...over },
      person(sealedFor),
      { name: 'Waiting', text: null, ...texts },
    );
  const ofPerson = created({ searches: 'person' }, { text: 'ada@example.org' }, 'c');

  it('leaves what is not named as it is', () => {
    change({ name: 'Mine ' }, created()).then(changed({}, { name: 'Mine' }));
    change({ shared: true }, created()).then(changed({ shared: true }));
    change({ name: 'Hers' }, ofPerson).then(
      changed({ searches: 'person' }, { name: 'Hers', text: 'ada@example.org' }, 'c'),
    );
  });

  it('replaces the filter as a whole, and seals under whose key it is then', () => {
    change({ narrowed: { filter: { roleId: 'r' }, search: null } }, ofPerson).then(
      changed({ filter: { roleId: 'r' } }),
    );
    const search = { text: 'ada@example.org', person: person('c') };
    change({ narrowed: { filter: {}, search } }, created()).then(
      changed({ filter: {}, searches: 'person' }, { text: 'ada@example.org' }, 'c'),
    );
    const unknown = { text: 'bob@example.org', person: null };
    change({ narrowed: { filter: {}, search: unknown } }, created()).thenRefused(
      'validation_failed',
      'filter.text',
    );
  });

  it('counts its versions, and holds to the one that is expected', () => {
    const when = change({ name: 'Mine', expectedVersion: 1 }, created());
    expect(when.state()).toMatchObject([{ name: 'Mine', version: 2 }]);
    change({ name: 'Mine', expectedVersion: 2 }, created()).thenRefused('version_mismatch');
  });

  it('to what it is already changes nothing', () => {
    change({}, created()).thenNothing();
    const narrowed = { filter: { b: 2, a: 1 }, search: null };
    change({ name: 'Waiting', shared: false, narrowed }, created({ filter: { a: 1, b: 2 } })).thenNothing();
  });

  it('is refused by a name that its maker has for this list already', () => {
    const other = created({ savedViewId: 'w', shared: true }, { name: 'Other' });
    change({ name: 'other' }, created(), other).thenRefused('conflict');
    change({ name: 'other', viewer: ada }, shared, other).thenRefused('conflict');
  });

  it('is refused if too many would be shared', () => {
    const full = several(MAX_SHARED_VIEWS, { memberId: 'somebody', shared: true });
    change({ shared: true }, created(), ...full).thenRefused('conflict');
    change({ name: 'Mine' }, shared, ...full).events();
  });

  it('is its maker’s, and of a shared one also owners’ and admins’', () => {
    change({ name: 'N', viewer: ada }, shared).events();
    change({ name: 'N', viewer: rick }, shared).thenRefused('forbidden');
    change({ name: 'N', viewer: rick }, created()).thenRefused('not_found');
    change({ name: 'N', viewer: ada }, created()).thenRefused('not_found');
    change({ name: 'N', viewer: undefined }, shared).thenRefused('not_found');
    change({ name: 'N' }).thenRefused('not_found');
  });

  it('lets nobody but its maker stop sharing it, since it would be out of everybody else’s sight', () => {
    change({ shared: false }, shared).events();
    change({ shared: false, viewer: ada }, shared).thenRefused('forbidden');
  });

  it('after its person was erased needs a name and a filter', () => {
    const narrowed = { filter: {}, search: null };
    for (const some of [{ name: 'N' }, { narrowed }, { shared: true }]) {
      change(some, unreadable(ofPerson)).thenRefused('erased');
      change({ ...some, erased: true }, ofPerson).thenRefused('erased');
    }
    change({ name: 'N', narrowed }, unreadable(ofPerson)).then(changed({ filter: {} }, { name: 'N' }));
  });
});

describe('removing a saved view', () => {
  const remove = (viewer: Viewer, ...past: SavedViewEvent[]) =>
    spec
      .given(...past)
      .when((state) => removeSavedView(state, { savedViewId: 'v', viewer, expectedVersion: 1 }));

  it('is for good', () => {
    const when = remove(olga, created(), created({ savedViewId: 'w' }));
    when.then(removed);
    expect(when.state().map(({ savedViewId }) => savedViewId)).toEqual(['w']);
    remove(olga, created(), removed).thenRefused('not_found');
  });

  it('is done by those who may change it', () => {
    remove(ada, shared).then(removed);
    remove(rick, shared).thenRefused('forbidden');
    remove(ada, created()).thenRefused('not_found');
  });
});

it('a view is shown to its member, and a shared one to all', () => {
  const [own, all] = [created(), shared].map((event) => fold(savedViewsDecider, [event])[0]) as SavedView[];
  expect([olga, rick, ada].map((viewer) => isShownTo(own!, viewer))).toEqual([true, false, false]);
  expect([olga, rick, ada].map((viewer) => isShownTo(all!, viewer))).toEqual([true, true, true]);
});
