import { run } from 'assay-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';

test('adds the sales of an article', async () => {
  const { stdout } = await run(['node', 'main.mjs'], 'tea,1.20,2\ntea,1.20,1\n');
  assert.equal(stdout, 'tea,3.60\n');
});

test('sorts the articles by name', async () => {
  const { stdout } = await run(['node', 'main.mjs'], 'tea,1.20,1\nbread,3.10,1\n');
  assert.equal(stdout, 'bread,3.10\ntea,1.20\n');
});
