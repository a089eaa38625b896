import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { changing, keyChange, wrappedBy, WrappingKey } from './data-key.js';

const [first, second, third] = [0, 1, 2].map(() => new WrappingKey(randomBytes(32))) as [
  WrappingKey,
  WrappingKey,
  WrappingKey,
];

it.each([
  ['opens with its own key', wrappedBy(first), first, null, 'none'],
  ['opens with its own key, whatever the former one is said to be', wrappedBy(first), first, third, 'none'],
  ['is changed from its own key', wrappedBy(first), second, first, 'begin'],
  ['that is half changed is changed to the end', changing(first, second), second, first, 'resume'],
] as const)('a vault %s', (_, described, current, former, step) => {
  expect(keyChange(described, current, former)).toMatchObject({ step });
});

it.each([
  ['another key', wrappedBy(first), second, null],
  ['two other keys', wrappedBy(first), second, third],
  ['the new key alone, while it is half changed', changing(first, second), second, null],
  ['the new key and another former one, while it is half changed', changing(first, second), second, third],
  ['a third key, while it is half changed', changing(first, second), third, second],
  ['its keys exchanged, while it is half changed', changing(first, second), first, second],
] as const)('a vault is not opened by %s', (_, described, current, former) => {
  expect(() => keyChange(described, current, former)).toThrow(/DATA_KEY/);
});
