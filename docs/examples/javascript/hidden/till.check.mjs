import { run } from 'assay-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';

const totals = async (input) => (await run(['node', 'main.mjs'], input)).stdout;

test('adds several articles', async () => {
  assert.equal(await totals('tea,1.20,2\nbread,3.10,1\ntea,1.20,1\n'), 'bread,3.10\ntea,3.60\n');
});

test('ignores empty lines', async () => {
  assert.equal(await totals('\ntea,1.20,1\n\n'), 'tea,1.20\n');
});

test('rounds half a cent up', async () => {
  assert.equal(await totals('fuel,1.005,1\nfuel,1.000,2\n'), 'fuel,3.01\n');
});

test('refuses a line that is no sale', async () => {
  const { stdout, stderr, code } = await run(['node', 'main.mjs'], 'tea,1.20,1\ntea\n');
  assert.deepEqual({ stdout, code }, { stdout: '', code: 1 });
  assert.match(stderr, /2/);
});
