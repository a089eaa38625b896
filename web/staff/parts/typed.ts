import { useState } from 'preact/hooks';

/** What is typed, and the saved value over which it is typed. */
interface Typed<T> {
  readonly over: T;
  readonly value: T;
}

/** What a field shows: what is typed, unless the saved value has changed since. Values are compared by their JSON. */
export const shownOf = <T>({ over, value }: Typed<T>, saved: T): T =>
  JSON.stringify(over) === JSON.stringify(saved) ? value : saved;

/**
 * The state of fields whose saved value is elsewhere, such as in the address: what is typed, until the saved value changes.
 * A `key` would do that by new elements, and the one that is in use would lose the focus.
 */
export const useTyped = <T>(saved: T): readonly [T, (value: T) => void] => {
  const [typed, setTyped] = useState({ over: saved, value: saved });
  return [shownOf(typed, saved), (value) => setTyped({ over: saved, value })];
};
