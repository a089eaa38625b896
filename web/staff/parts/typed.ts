import { useRef, useState } from 'preact/hooks';

/** What a field shows, and the JSON of the saved value over which that was typed. */
export interface Typed<T> {
  readonly over: string;
  readonly value: T;
}

/** The beginning: the saved value. */
export const typedOver = <T>(saved: T): Typed<T> => ({ over: JSON.stringify(saved), value: saved });

/** The state with the saved value of now: if that has changed, what was typed is forgotten, and does not come back with it. */
export const typedAfter = <T>(former: Typed<T>, saved: T): Typed<T> => {
  const begun = typedOver(saved);
  return begun.over === former.over ? former : begun;
};

/**
 * The state of fields whose saved value is elsewhere, such as in the address: what is typed, until the saved value changes.
 * A `key` would do that by new elements, and the one that is in use would lose the focus.
 */
export const useTyped = <T>(saved: T): readonly [T, (value: T) => void] => {
  const typed = useRef(typedOver(saved));
  const [, render] = useState({});
  typed.current = typedAfter(typed.current, saved);
  return [
    typed.current.value,
    (value) => {
      typed.current = { ...typed.current, value };
      render({});
    },
  ];
};
